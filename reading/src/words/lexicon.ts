/**
 * The general English that reading claims leans on: small words, verbs, and pairs of words that mean one thing. Nothing
 * in it belongs to one trade or one file; every list is a plain text so that it can be read and mended at a glance.
 */
import { monthNames, shortMonths } from '../months.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter((word) => word !== ''))

export const determiners =
  set(`a an the this that these those its their our his her my your each every all any some no
  both such same said another either neither whole entire`)

export const prepositions =
  set(`of in on at to for from by with without under over between among against after before
  during since until till through within into onto upon about across along around behind below beneath beside beyond
  despite down except inside near off outside past per regarding than toward towards via as including excluding up
  throughout following concerning according depending due owing affecting involving relating
  containing covering exceeding representing pertaining resulting`)

const conjunctions = set(
  'and or but nor yet so because although though while whereas if unless when where that which who whom whose as than',
)

export const relatives = set(
  'which who whom whose where when that whereas because although though while if unless as since',
)

export const pronouns = set(
  'it they we he she i you them us him me one this that these those there who which',
)

export const auxiliaries =
  set(`is are was were be been being am has have had do does did will would shall should must may
  might can could cannot`)

/** Verbs that link a measure to its value. */
export const linking =
  set(`be become stand amount come reach total equal remain stay make represent run range average read
  grow rise fall drop increase decrease decline climb measure number account exceed comprise raise lower shorten reduce
  extend set fix change correct amend limit cap estimate expect replace print last move postpone agree carry value
  price`)

/** Verbs that say nothing by themselves. */
export const lightVerbs =
  set(`be have do get give show state report record say list find see note make take use serve
  include contain comprise include hold own count see confirm indicate declare mention present describe compute calculate
  estimate set come go bring put`)

/** Heads of compounds that say only what kind of value follows: the "review cycle" is of the review. */
export const kindNouns = set('period cycle interval frequency date deadline time term figure')

/** Nouns that hand their meaning on: "the number of employees". */
export const lightNouns =
  set(`number amount total sum share percentage proportion figure value level quantity count size
  rate portion part majority volume date day time year month start point kind type form set range average maximum minimum
  name result estimate balance deadline period interval frequency`)

/** Words that leave a measure as it was: "the total number of employees". */
export const emptyWords = set('number total figure count overall whole entire correct corrected')

export const adverbs =
  set(`not also only just still already now then there here again once twice very quite rather nearly
  almost approximately roughly around some about exactly precisely together respectively however therefore moreover
  furthermore meanwhile currently presently previously formerly originally initially subsequently finally eventually
  usually normally generally typically always never ever often sometimes too even yet further earlier later well wholly
  instead abroad elsewhere overseas fully partly mainly mostly slightly least most more less fewer higher lower correctly actually really namely`)

export const titles = set('mr mrs ms miss dr prof professor sir dame madam herr frau sra captain')

export const legalForms =
  set(`ltd limited gmbh ag as asa bv nv sa sarl srl spa sl plc inc incorporated llc llp lp corp
  corporation co company kg ohg se ab oy aps oyj pty pvt sro zoo spzoo sas kk cv eurl ug kft`)

/** Words for the whole that a document is about. */
export const wholes =
  set(`group company firm client customer study trial project business borrower issuer seller target
  organisation contract agreement lease property building premise plant bank fund supplier contractor tenant landlord
  association institution programme employer product`)

export const months: ReadonlySet<string> = new Set([...monthNames, ...shortMonths])

const weekdays = set(
  `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
  sundays`,
)

/** Parts of documents: "in section 3" is a place in the text, not part of a measure. */
export const documentParts = set(
  'section page table annex appendix clause paragraph chapter article footnote figure schedule',
)

/** Capitalised without being a name of their own. */
const notNames =
  set(`section table figure annex appendix schedule article clause page paragraph note notes item
  chapter part exhibit volume folder row column version re fw fwd fy q1 q2 q3 q4 h1 h2 i ii iii iv v vi`)

/** A class word and the mark behind it make a name: "Lot 1", "Subject 0417-009", "batch PF-23". */
export const classWords =
  set(`lot batch subject patient site centre center phase arm tranche release version unit
  building floor line machine vehicle vessel account invoice policy order contract project case claim incident ticket
  plot pile block room zone route shift class series model serial sample cohort group tier stage`)

/** Bases whose `-s` form is a verb and hardly ever a plural. */
export const verbBases =
  set(`accept achieve acquire add adopt agree allow amount announce appear apply appoint approve
  arrive assess assume attend become begin belong bring buy calculate carry cease choose comply comprise compute confirm
  consist contain continue correct cost cover create decide decline declare deliver deny depend describe determine
  discover dismiss employ enable end enter establish exceed exclude exist expand expect expire explain extend fail find
  follow generate give go grow happen hold identify imply include incur indicate inform inspect install intend invest
  involve keep know lack lapse last lead learn leave lie make manage manufacture mean meet miss move notify obtain occupy
  occur offer open operate own pay perform permit possess prepare prescribe prevail produce promise propose provide
  publish put reach read receive recommend record reduce refer refuse regard reject relate remain remove replace represent
  require resign retain retire return run say see seek sell send serve settle show sign specify stand start state stay
  stop store submit suffer supply take terminate treat understand use vary waive withdraw work write yield rise raise fall
  lower drop reach range apply affect come amount mature note tell believe assign arise consider contribute extend concern`)

/** Past forms and participles that no ending betrays, with their base. */
export const irregular: ReadonlyMap<string, string> = new Map(
  `is be|are be|was be|were be|been be|being be|am be|has have|had have|having have|does do|did do|done do|kept keep|
  held hold|sold sell|bought buy|paid pay|made make|met meet|left leave|lost lose|found find|founded found|gave give|
  given give|took take|taken take|came come|went go|gone go|grew grow|grown grow|rose rise|risen rise|fell fall|
  fallen fall|began begin|begun begin|became become|stood stand|said say|told tell|sent send|spent spend|built build|
  brought bring|thought think|knew know|known know|wrote write|written write|ran run|drew draw|drawn draw|drove drive|
  driven drive|chose choose|chosen choose|broke break|broken break|won win|led lead|dealt deal|meant mean|sought seek|
  taught teach|caught catch|hired hire|fired fire|died die|dying die|lay lie|lain lie|saw see|seen see|shown show|
  sank sink|sunk sink|stolen steal|stole steal|struck strike|withdrew withdraw|withdrawn withdraw|understood understand|
  undertook undertake|undertaken undertake|overdue overdue|born bear|borne bear|bore bear|hurt hurt|shut shut|
  lent lend|got get|heard hear|felt feel|slept sleep|tied tie|lied lie|used use|agreed agree|freed free|forgave forgive|
  forbade forbid|forbidden forbid|foresaw foresee|foreseen foresee|oversaw oversee|upheld uphold|withheld withhold|
  arose arise|arisen arise|repaid repay|resold resell|let let|mitigated mitigate|owed owe|owing owe|using use`
    .split('|')
    .map((pair) => pair.trim())
    .map((pair) => [pair.slice(0, pair.indexOf(' ')), pair.slice(pair.indexOf(' ') + 1)] as const),
)

/**
 * Words that mean one thing to whoever compares two documents. The first word of each line stands for all of it.
 */
const families = `
revenue turnover sales
employee staff headcount workforce personnel employ employment employed heads worker
end expiry expire expiration lapse lapsed lapses ending ends expires expired ended
start starts started begin beginning commencement commence inception
death die deceased fatal fatality dead
release releasing
price consideration
randomise randomisation randomization randomised randomized
annual yearly annually year-on-year
monthly month-by-month
weekly
daily
keep retention retain retained storage stored
inspect inspection inspector
agreement contract
customer client
subcontractor subprocessor sub-processor sub-contractor
litigation lawsuit proceeding suit sue sued arbitration writ
claim
accident mishap
injury injure injured
complaint complain
deposit
cash banknote
woman women female
man men male
person people individual
child children
borrow borrowing
loan
premise premises
rent rental
tenant lessee
landlord lessor
subtenant sub-tenant subtenancy
notice notification notify inform informing notified informed
deadline
director
breach violation infringe infringement
default
appointment appoint appointed
resignation resign
acquire acquisition
dispose disposal divest divestment
complete completion
deliver delivery
pay payment
sell sale sold
purchase buy bought
approve approval
reject rejection refuse refusal
renew renewal
extend extension prolong prolongation
terminate termination
suspend suspension
certify certification certificate certified
audit
encrypt encryption encrypted
test testing
sign signature signing
install installation
withdraw withdrawal
recall
exposure expose
interrupt interruption outage downtime
available availability
maintain maintenance
register registration
incorporate incorporation
insure insurance
assess assessment
invest investment
lose loss
grow growth
open opening opened
close closing closure
occupy occupier occupation occupant
own owner ownership
review
use usage
temperature
area
birth born bear
`

export const synonyms: ReadonlyMap<string, string> = new Map(
  families
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap(([first, ...others]) => others.map((word) => [word, first ?? word] as const)),
)

/** Officers by their initials and by their names. */
export const roleInitials: ReadonlyMap<string, string> = new Map(
  `ceo chief executive officer|cfo chief financial officer|cto chief technology officer|coo chief operating officer|
  cio chief information officer|ciso chief information security officer|cmo chief medical officer|
  cro chief risk officer|md managing director|dpo data protection officer|hr human resources|pi principal investigator`
    .split('|')
    .map((line) => line.trim())
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const),
)

/** Words that carry no meaning of their own: one lookup instead of seven. */
export const smallWords: ReadonlySet<string> = new Set([
  ...determiners,
  ...prepositions,
  ...conjunctions,
  ...pronouns,
  ...auxiliaries,
  ...adverbs,
  ...titles,
])

/** Words that are no part of a name though they be capitalised. */
export const neverNames: ReadonlySet<string> = new Set([
  ...[...smallWords].filter((word) => !titles.has(word)),
  ...months,
  ...weekdays,
  ...notNames,
  ...roleInitials.keys(),
])

/** Small closed lists that tell when two different words name one measure, and when one word makes another measure of it. */

const synonymSets = [
  'subject patient participant',
  'site centre center',
  'cost expense expenditure spend spending outlay',
  'profit earnings',
  'deadline due',
  'last recent latest',
  'stock inventory',
  'deductible excess',
  'leave holiday vacation',
  'construct build erect',
  'tender bid',
  'inspect check',
  'enrol enroll recruit',
  'salary wage',
  'supplier vendor',
  'pupil student',
  'vehicle car',
  'penalty fine',
  'warranty guarantee',
  'illness sickness disease',
  'doctor physician',
  'defect fault flaw',
  'ship dispatch',
  'grant subsidy funding',
  'visitor guest',
  'flat apartment',
  'meeting session',
  'authorise permit allow',
  'debt indebtedness borrowing',
  'finish complete',
  'weight mass',
  'attend attendance',
  'lawyer solicitor attorney',
  'shop store outlet',
  'donation gift',
  'interim provisional',
  'respond react answer reply',
  'cancel terminate',
  'found establish incorporate',
]

const canonical: ReadonlyMap<string, string> = new Map(
  synonymSets.flatMap((set) => {
    const words = set.split(' ')
    return words.map((word) => [word, words[0] ?? word] as const)
  }),
)

/** One word for all that mean the same. */
export function canonicalWord(word: string): string {
  return canonical.get(word) ?? word
}

function listed(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

/** Words that name no measure on their own: what stands beside them must agree as well. */
export const vague = listed(
  'total amount number value figure rate level date time period share item result sum count percentage proportion part ' +
    'ratio limit minimum maximum average other rest size status term version unit score overall whole entire main ' +
    'take show name give make state report record hold have get set see find note put say propose use come go become reach ' +
    'stand include involve provide relate follow require need cover list present describe estimate calculate expect plan ' +
    'end start begin run last remain continue increase decrease rise fall reduce raise lower shorten extend change ' +
    'move bring pay receive complete new old text section column row table line page point case kind type way thing ' +
    'approximately about around year-end respectively accord entry detail information data matter basis category ' +
    'difference variance movement adjustment impact effect combine subtotal balance revise restate correct downward upward ' +
    'amend update reconcile actual indicative agree confirm reported worth',
)

/** Words of telling: who says something is not what is said. */
export const telling = listed(
  'tell say state write note file record report understand accord management reviewer confirm believe think know inform ' +
    'explain mention understanding source author auditor adviser memo summary overview background conclusion that',
)

/** Times and units are told by period and value; as words of a measure they only hide it. */
const noise = listed(
  'january february march april may june july august september october november december day week month quarter year hour ' +
    'minute second date annum annual eur usd gbp chf mg kg percent per cent fy q1 q2 q3 q4 h1 h2',
)

/** A number within the words of a measure is a stray unless it is the name of something: `27001`, `easi-75`. */
export function isNoise(word: string): boolean {
  const first = word.charCodeAt(0)
  const strayAtAll = first <= 57 && /^[\d.,/-]{1,3}$|^[\d,./-]*[,./][\d,./-]*$/u.test(word)
  return strayAtAll || noise.has(word)
}

/** Nouns of sentences that deny everything at once: "no issues were identified". */
export const blanketNouns = listed(
  'issue concern matter change problem risk evidence finding impact deficiency exception deviation effect difference ' +
    'objection comment remark action reason doubt material thing event limitation indication',
)

/** These are the measure of dates, however little they say of anything else. */
export const datedEvents = listed('end start begin complete release receive pay extend open close')

/** Numbered parts of documents and projects tell nobody apart by themselves: "lot 1", "item 3", "version 7". */
export const numberedThings = listed(
  'lot phase item version tier part section annex number step stage table figure page chapter level class',
)

/** Words before a role that do not make it one person's. */
export const commonRoles = listed(
  'executive nonexecutive non-executive independent board senior junior external internal other former new',
)

/** Nouns that are there anyway: that one of them did not do something denies no other of its kind. */
export const mereNouns = listed(
  'subject person people customer employee company party product document supplier member site country unit sample user ' +
    'name page line room building space entry order invoice account contract agreement one other tender batch lot',
)

/** Heads of the dates that documents have as documents. */
export const documentary = listed(
  'period date report issue send print publish prepare version receive revision release cover',
)

/** Words of a supposed world; two sentences that do not have the same ones speak of two worlds. */
export const scenarioWords = listed(
  'downside upside scenario stress stressed sensitivity worst best severe adverse assumption assume hypothetical',
)

/** Words that make a figure a duty and not a fact. */
export const duties = listed(
  'owe promise guarantee undertake commit oblige obligation target objective requirement entitle warrant',
)

/** Words that mark a part of the whole; where only one side has one, the figures are of different extent. */
export const partWords = listed(
  'site branch region country local each per arm centre department division plant individual subset cohort',
)

/** A modifier that makes another measure; without it on both sides, two values are not of one thing. */
export const distinguishing = listed(
  'new former average mean median maximum minimum max min peak monthly weekly daily quarterly recurring deferred ' +
    'current noncurrent non-current prior previous planned expected remaining outstanding additional incremental cumulative ' +
    'gross net adjusted underlying organic domestic international foreign external internal open closed active inactive ' +
    'pending critical major minor serious severe high medium low first second third last next initial final growth ' +
    'increase decrease decline reduction change rise fall fixed variable short long direct indirect operating capital per ' +
    'temporary permanent contractor upper lower optional secondary primary estimated lost ' +
    'unpaid overdue unused top single half interim regulatory potential right',
)

/** Subjects that mean "the one this document is about". */
export const generalSubjects = listed(
  'group company firm business study trial project property building client tenant agreement contract lease report ' +
    'system service platform product supplier vendor bank fund issuer entity organisation organization it we they he she ' +
    'document memo programme program facility authority board management this that us our plan target',
)

export const legalForms = listed(
  'as ab ag bv b.v nv sa sarl sl s.l srl spa gmbh kg se plc ltd limited llc llp lp inc corp corporation oy oyj aps fze ' +
    'pvt pte pty kk sro s.r.o doo sp zoo',
)

/** Roles that several people hold at once: two names for them do not disagree. */
export const sharedRoles = listed(
  'director member engineer partner attendee participant witness shareholder representative employee analyst consultant ' +
    'investigator subprocessor supplier vendor customer client investor lender insurer bank contractor author reviewer ' +
    'approver signatory counsel adviser advisor developer team staff colleague user speaker present apology copy recipient ' +
    'person party guest invitee expert operator trustee founder physician nurse',
)

/** Words that make a role one person's. */
export const soleRole = listed('sole principal chief lead managing single only head responsible acting')

/** Nouns whose figures are a state at a time, so that two dates may rightly differ. */
export const flows = listed(
  'revenue profit ebitda ebit income cost cash expense spend spending margin loss churn growth turnover sale payment',
)

/**
 * The meaning of single words inside a value: one look-up a word, whatever it may turn out to be. A word can mean several
 * things (`second`, `m`, `may`); which of them it is, is decided where it stands.
 */
import { monthNames, monthNumber, shortMonths } from '../months.ts'
import { unitTable, type Unit } from './units.ts'

export interface Meaning {
  /** The word itself in lower case. */
  readonly text: string
  /** zero to nineteen */
  readonly small?: number
  /** twenty to ninety */
  readonly tens?: number
  /** hundred, thousand, million; `k`, `bn` */
  readonly scale?: number
  /** Stands only behind digits: `k`, `bn`. */
  readonly short?: true
  /** third: 3 */
  readonly ordinal?: number
  /** thirds: 3 */
  readonly part?: number
  readonly parts?: true
  readonly currency?: string
  /** Currency only when written in capitals. */
  readonly capitals?: true
  readonly unit?: Unit
  readonly month?: number
  /** A word that stands before a number that names instead of counting: section, phase, line. */
  readonly label?: true
  /** Opens a phrase that bounds or loosens the number behind it. */
  readonly modifier?: true
  /** fy, q, h: may be glued to the number behind it. */
  readonly period?: 'year' | 'quarter' | 'half'
  /** A value may begin with it, or with something that it opens. */
  readonly opens?: true
  /** Any of the small words that the grammar itself asks for. */
  readonly glue?: true
}

type Draft = { -readonly [Key in keyof Meaning]: Meaning[Key] }

const lexicon = new Map<string, Draft>()

function entry(text: string): Draft {
  const known = lexicon.get(text)
  if (known !== undefined) return known
  const made: Draft = { text }
  lexicon.set(text, made)
  return made
}

function each(list: string, add: (entry: Draft, index: number) => void): void {
  for (const [index, word] of list.trim().split(/\s+/).entries()) add(entry(word), index)
}

each(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
   eighteen nineteen`,
  (word, index) => (word.small = index),
)
each('nil', (word) => (word.small = 0))
each('twenty thirty forty fifty sixty seventy eighty ninety', (word, index) => (word.tens = 10 * index + 20))
each('hundred', (word) => (word.scale = 100))
each('dozen dozens', (word) => (word.scale = 12))
each('thousand thousands', (word) => (word.scale = 1e3))
each('million millions', (word) => (word.scale = 1e6))
each('billion billions', (word) => (word.scale = 1e9))
each('trillion trillions', (word) => (word.scale = 1e12))
each('lakh lakhs', (word) => (word.scale = 1e5))
each('crore crores', (word) => (word.scale = 1e7))

function short(list: string, scale: number): void {
  each(list, (word) => {
    word.scale = scale
    word.short = true
  })
}
short('k thsd tsd', 1e3)
short('m mn mm mio mln mil mill', 1e6)
short('b bn bln bil mrd', 1e9)
short('tn trn', 1e12)

each(
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
   sixteenth seventeenth eighteenth nineteenth twentieth twenty-first`,
  (word, index) => (word.ordinal = index + 1),
)
each('thirtieth', (word) => (word.ordinal = 30))
each('last final', (word) => (word.glue = true))

function fraction(one: string, many: string, of: number): void {
  entry(one).part = of
  entry(many).part = of
  entry(many).parts = true
}
fraction('half', 'halves', 2)
fraction('quarter', 'quarters', 4)
for (const [index, one] of 'third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'
  .split(' ')
  .entries())
  fraction(one, `${one}s`, index + 3)
fraction('fifteenth', 'fifteenths', 15)
fraction('twentieth', 'twentieths', 20)
fraction('hundredth', 'hundredths', 100)

const codes = `EUR USD GBP CHF JPY CNY RMB SEK NOK DKK ISK PLN CZK HUF RON BGN HRK RUB UAH TRY CAD AUD NZD SGD HKD INR ZAR
  BRL MXN ARS CLP COP PEN KRW TWD THB MYR IDR PHP VND AED SAR QAR KWD BHD OMR ILS EGP MAD TND NGN KES GHS PKR BDT LKR`
each(codes.toLowerCase(), (word) => {
  word.currency = word.text === 'rmb' ? 'CNY' : word.text.toUpperCase()
  word.capitals = true
})

function money(list: string, currency: string): void {
  each(list, (word) => (word.currency = currency))
}
money('euro euros', 'EUR')
money('dollar dollars', 'USD')
money('sterling quid', 'GBP')
money('cents', 'cent')
money('pence', 'pence')
money('yen', 'JPY')
money('yuan renminbi', 'CNY')
money('rupee rupees', 'INR')
money('zloty zlotys', 'PLN')
money('kroner kronor', 'NOK')

/** Signs of money. A dollar of somewhere else carries letters before it. */
export const currencySigns: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
  ['₹', 'INR'],
  ['₽', 'RUB'],
  ['₩', 'KRW'],
  ['₺', 'TRY'],
  ['₪', 'ILS'],
  ['₴', 'UAH'],
])
export const dollars: ReadonlyMap<string, string> = new Map([
  ['us', 'USD'],
  ['u.s', 'USD'],
  ['a', 'AUD'],
  ['au', 'AUD'],
  ['c', 'CAD'],
  ['ca', 'CAD'],
  ['nz', 'NZD'],
  ['s', 'SGD'],
  ['hk', 'HKD'],
  ['r', 'BRL'],
])

for (const month of [...monthNames, ...shortMonths]) entry(month).month = monthNumber(month)

each('fy cy fiscal', (word) => (word.period = 'year'))
each('q', (word) => (word.period = 'quarter'))
each('h', (word) => (word.period = 'half'))

each(
  `section sections sec secs sect subsection article articles art arts clause clauses cl paragraph paragraphs para paras
   chapter chapters chap ch part parts annex annexes appendix appendices schedule schedules exhibit exhibits table tables
   tab figure figures fig figs chart box page pages pp p note notes footnote footnotes rule rules regulation regulations
   directive recital item items no nos nr number numbers num question questions answer point points observation
   observations finding findings requirement requirements criterion criteria option options scenario scenarios arm arms
   cohort cohorts visit visits phase phases stage stages step steps tier tiers level levels grade grades class classes
   category categories type types priority severity lot lots line lines room rooms hall halls bay bays floor floors
   building buildings block blocks gate gates unit units batch batches order orders invoice invoices ticket tickets
   incident incidents extension ext tel phone telephone fax mobile route flight platform model series size milestone
   milestones wave round rounds sprint sprints patient site case claim policy ref reference refs id ids code codes zone
   zones sector district ward suite flat apartment plot lane berth pier pump pumps turbine turbines server servers node
   nodes rack pillar pillars axis annexure serial po postcode volume vol issue act law amendment addendum attachment
   document doc docs module task tasks objective objectives goal goals principle commitment circular resolution tranche
   tranches well track tracks bed beds ward wards shift window door cell dock car truck vessel form release build
   sample samples row rows column columns field day days week weeks month year quarter version versions v ver rev
   revision edition q change changes slide slides query queries plan shelf folder index file alert report subject subjects
   position house road junction exit channel drawing tank machine account queue hearing lesson exercise subsections documents record records condition conditions guideline guidelines recommendation txn tls ssl oauth http usb saml wpa iso iec en din ifrs ias soc rfc bs astm cve gaap asc isae`,
  (word) => (word.label = true),
)

each(
  `about approximately approx around some nearly almost roughly circa ca c just slightly at up not no more less fewer
   over under above below exceeding exceed exceeds exceeded minimum maximum min max greater higher lower upwards
   estimated beyond within well marginally a to in as every each any least most than of or older later many much late longer shorter
   smaller younger close marginally`,
  (word) => (word.modifier = true),
)

each(
  `the of and or to from by between until till through out times time fold x per cent percent percentage pct pts pt pp ppt
   ppts bps bp basis points a an and half on one is are was were year years ended ending quarter quarters end start
   beginning early mid late since during for in before after financial calendar full consecutive working business whole
   further additional extra square sq cubic cu degrees degree deg celsius fahrenheit am pm o'clock day days st nd rd th
   more less above over older higher greater fewer below under lower earlier better range ranges ranging ranged its
   their our all this that has have had will which who but with as than it they we if what higher your his her normal
   second a e f p actual estimate forecast budget n m metric nautical month months week weeks pre post clock
   respectively versus vs against compared minimum maximum be been would can could may must shall should do does did
   cu s t us au c ca nz hk r add adds added adding sum sums went comes came hours top mille longer shorter younger smaller close region excess little upwards than least most exceed exceeding together no
   not any each every which within lasting lasts takes took lasted first fifth v version release`,
  (word) => (word.glue = true),
)

for (const [word, unit] of unitTable) entry(word).unit = unit

const openers = new Set(
  `a an half between end start beginning early mid late year years quarter month months calendar financial last final
   version versions v ver release rev revision edition build us au c ca nz hk r s`.split(/\s+/),
)

/** Each word also with a capital letter and in capitals, so that a look-up needs no lower case. */
const written = new Map<string, Meaning>()
for (const [text, meaning] of lexicon) {
  const { small, tens, ordinal, part, month, period, label, modifier, capitals } = meaning
  const own = small ?? tens ?? ordinal ?? part ?? month ?? period ?? label ?? modifier ?? capitals
  if (own !== undefined || openers.has(text)) meaning.opens = true
  written.set(text, meaning)
  written.set(text.toUpperCase(), meaning)
  written.set(text.charAt(0).toUpperCase() + text.slice(1), meaning)
}

/** Longest word that means anything; longer ones need no look-up. */
const longest = 16
/** Units are written with capitals inside (`kWh`), other words are not. */
const longestUnit = 5

export function meaningOf(text: string, start: number, end: number): Meaning | undefined {
  if (end - start > longest) return undefined
  const word = text.slice(start, end)
  const meaning = written.get(word)
  return meaning !== undefined || end - start > longestUnit ? meaning : lexicon.get(word.toLowerCase())
}

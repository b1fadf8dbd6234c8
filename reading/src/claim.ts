/**
 * One checkable statement that a document makes: about what (subject and attribute), for which time, and what it says. All
 * words in it are canonical (lower case, singular, no punctuation) unless a field is called `text`; the same sentence gives
 * the same claim in whatever document and in whatever order it is met.
 */

export type ClaimKind =
  | 'money'
  | 'percent'
  | 'count'
  | 'measure'
  | 'ratio'
  | 'date'
  | 'duration'
  | 'version'
  | 'level'
  | 'status'
  | 'existence'
  | 'identity'

/** Days since 1970-01-01, both ends included: a day, a month, a quarter or a year is told by how far they are apart. */
export type Days = readonly [first: number, last: number]

export interface NumberValue {
  readonly type: 'number'
  /** Equal unless a range is given; null where one side is open. */
  readonly low: number | null
  readonly high: number | null
  /** Currency (`EUR`), `%`, a unit (`m2`, `degC`, `TB`; durations are in `s`), or for a count the noun counted. */
  readonly unit: string
  /** The place of the last digit printed, in the same unit: 100000 for `34.6m`. */
  readonly step: number
  /** "about", "nearly", "some". */
  readonly about: boolean
  /** `at least`, `at most`, `more than`, `less than`. */
  readonly bound: 'min' | 'max' | 'over' | 'under' | null
}

export interface DateValue {
  readonly type: 'date'
  readonly days: Days
}

/** A word of a closed family: a status, a level, a yes or a no. */
export interface WordValue {
  readonly type: 'word'
  /** Which words it competes with: `completion`, `risk`, `grade`, `yes-no`. */
  readonly family: string
  readonly word: string
  /** Its place on an ordered scale; null where the family has no order. */
  readonly rank: number | null
}

/** The person or thing: a person in a role, a place, a company. */
export interface NameValue {
  readonly type: 'name'
  readonly words: readonly string[]
}

/** Whether there is any such thing; the attribute says what. */
export interface ExistenceValue {
  readonly type: 'existence'
  readonly exists: boolean
  /** "none whatsoever", "never", "at any of its sites": speaks of all at once. */
  readonly blanket: boolean
}

export type Value = NumberValue | DateValue | WordValue | NameValue | ExistenceValue

export type Modality = 'actual' | 'plan' | 'target' | 'limit' | 'hypothetical' | 'quoted'

export const STATED_MODALITIES = [
  'fact',
  'plan',
  'target',
  'limit',
  'estimate',
  'condition',
  'allegation',
  'correction',
  'historical',
] as const
export type StatedModality = (typeof STATED_MODALITIES)[number]

/** A claim in the words of the language model that extracted it. */
export interface StatedClaim {
  /** One self-contained sentence in English. */
  readonly statement: string
  readonly modality: StatedModality
  readonly value: string
  readonly period: string | null
  /** Its document speaks to whoever reads it by machine: it is compared in requests of its own, and shares no fact with others. */
  readonly isolated?: true
}

export interface Claim {
  readonly kind: ClaimKind
  /** The subject of the claim, most specific first: named in the clause, row, key, heading, or the document as a whole. */
  readonly subject: {
    readonly words: readonly string[]
    readonly text: string
    readonly from: 'clause' | 'row' | 'heading' | 'document' | 'none'
  }
  /** The measure: its head noun first, then what narrows it. */
  readonly attribute: { readonly words: readonly string[]; readonly text: string }
  /** Other words of the clause, row, column and heading that carry meaning. */
  readonly context: readonly string[]
  /** The qualifiers that make it another measure or another world: `adjusted`, `audited`, `net`, `scenario:downside`, `phase:2`, `arm:40 mg`. */
  readonly qualifiers: readonly string[]
  readonly value: Value
  /** The time spoken of; null where the text gives none. */
  readonly period: Days | null
  readonly modality: Modality
  /** Said to be in place of another value: "not 4.8m", "from A to B", "previously B". `by` tells why it moved. */
  readonly replaces: { readonly value: Value | null; readonly by: 'correction' | 'change' } | null
  /** When the document says so: its date, or that of the message. */
  readonly assertedAt: number | null
  /** The sentence, row or field: what is quoted. UTF-16 offsets into the text. */
  readonly span: readonly [start: number, end: number]
  /** The words of the value within it. */
  readonly valueSpan: readonly [start: number, end: number]
  readonly quote: string
  readonly valueText: string
  readonly confidence: number
  /** Only of claims that a language model extracted. */
  readonly stated?: StatedClaim
}

/** Claims as the contract writes them. */
import type { FoundClaim } from '../app/documents/claims.ts'
import type { LocatedClaim, NumberValue, Value } from '../domain/claim.ts'
import { formatDay, formatPeriod } from '../domain/period.ts'

export function toClaimRecord({ claim, ...place }: FoundClaim) {
  return {
    claim_id: place.claimId,
    document_id: place.documentId,
    version: place.version,
    kind: claim.kind,
    entity: claim.subject.text === '' ? null : claim.subject.text,
    attribute: claim.attribute.text,
    qualifiers: claim.qualifiers.filter((qualifier) => !OF_STATEMENTS.test(qualifier)),
    value: toValueRecord(claim),
    polarity: isDenied(claim.value) ? ('denied' as const) : ('affirmed' as const),
    modality: claim.modality,
    period: claim.period && formatPeriod(claim.period),
    asserted_at: toDayRecord(claim.assertedAt),
    quote: claim.quote,
    start: claim.span[0],
    end: claim.span[1],
    location: toLocationRecord(claim),
    confidence: claim.confidence,
    extracted_at: place.extractedAt.toISOString(),
  }
}

export function toLocationRecord({ location }: LocatedClaim) {
  return location ? { ...location } : null
}

export function toDayRecord(day: number | null): string | null {
  return day === null ? null : formatDay(day)
}

/** A field that the value of this kind does not have is null. */
export function toValueRecord({
  kind,
  valueText,
  value,
}: Pick<LocatedClaim, 'kind' | 'valueText' | 'value'>) {
  return { kind, text: valueText, ...NOTHING, ...partsOf(value) }
}

interface ValueParts {
  readonly low: number | null
  readonly high: number | null
  readonly unit: string | null
  readonly approximate: boolean
  readonly bound: (typeof BOUNDS)[keyof typeof BOUNDS] | null
  readonly first_day: string | null
  readonly last_day: string | null
  readonly word: string | null
  readonly family: string | null
  readonly exists: boolean | null
}

const NOTHING: ValueParts = {
  low: null,
  high: null,
  unit: null,
  approximate: false,
  bound: null,
  first_day: null,
  last_day: null,
  word: null,
  family: null,
  exists: null,
}

function partsOf(value: Value): Partial<ValueParts> {
  switch (value.type) {
    case 'number': {
      const { low, high, unit, about, bound } = value
      return { low, high, unit, approximate: about, bound: bound && BOUNDS[bound] }
    }
    case 'date':
      return { first_day: formatDay(value.days[0]), last_day: formatDay(value.days[1]) }
    case 'word':
      return { word: value.word, family: value.family }
    case 'name':
      return { word: value.words.join(' ') }
    case 'existence':
      return { exists: value.exists }
  }
}

const BOUNDS = {
  min: 'at_least',
  max: 'at_most',
  over: 'more_than',
  under: 'less_than',
} as const satisfies Record<NonNullable<NumberValue['bound']>, string>

/** Which words of a sentence it denies, by their stems, and which other claims tell of: for comparing, and of no use to a reader. */
const OF_STATEMENTS = /^(?:not|told):/

function isDenied(value: Value): boolean {
  if (value.type === 'existence') return !value.exists
  return value.type === 'word' && value.family === 'statement' && value.word === 'denied'
}

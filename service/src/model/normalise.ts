/** Turns an item that a model extracted, once its quote is found, into a claim like those of the rule reader. */
import type { LocatedClaim, Modality, StatedModality } from '../domain/claim.ts'
import type { Span } from '@concord/reading/src/format.ts'
import { findValues } from '@concord/reading/src/values.ts'
import { valueKeyOf } from '@concord/reading/src/values/keys.ts'
import type { ExtractedClaim } from './extract.ts'
import { readPeriod, typeValue } from './typed-values.ts'
import { stemsOf } from './words.ts'

const modalities: Readonly<Record<StatedModality, Modality>> = {
  fact: 'actual',
  plan: 'plan',
  target: 'target',
  limit: 'limit',
  estimate: 'actual',
  condition: 'hypothetical',
  allegation: 'quoted',
  correction: 'actual',
  historical: 'actual',
}

export function toClaim(
  text: string,
  extracted: ExtractedClaim,
  span: Span,
  assertedAt: number | null,
): LocatedClaim {
  const { subject, attribute, value, period, modality, statement } = extracted
  const typed = typeValue(value, attribute)
  const claim: LocatedClaim = {
    ...typed,
    subject: { words: stemsOf(subject), text: subject, from: 'clause' },
    attribute: { words: stemsOf(attribute), text: attribute },
    context: [],
    qualifiers: [],
    period: readPeriod(period),
    modality: modalities[modality],
    replaces: modality === 'correction' ? { value: null, by: 'correction' } : null,
    assertedAt,
    span,
    valueSpan: span,
    // @point model.quote
    quote: text.slice(...span),
    valueText: '',
    confidence: 1,
    stated: { statement, modality, value, period },
  }
  const valueSpan = findValueSpan(text, claim, value)
  return { ...claim, valueSpan, valueText: text.slice(...valueSpan) }
}

/** The words of the value within the quote: as the model wrote it, else what is read as the same value, else the whole quote. */
function findValueSpan(text: string, claim: LocatedClaim, value: string): Span {
  const [start, end] = claim.span
  const at = findWords(claim.quote.toLowerCase(), value.toLowerCase())
  const isSafe = claim.quote.toLowerCase().length === claim.quote.length
  if (at !== -1 && isSafe && value.length === value.toLowerCase().length)
    return [start + at, start + at + value.length]
  const wanted = valueKeyOf(withoutUnit(claim))
  const found = findValues(text, start, end).find(
    (each) => valueKeyOf(withoutUnit({ ...claim, value: each.value, kind: each.kind })) === wanted,
  )
  return found?.span ?? claim.span
}

/** Scripts that write spaces between words. */
const wordSign = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]$/u

/** Returns where the words stand as words: "5" is not in "2025", and "no" not in "north". */
function findWords(text: string, words: string): number {
  if (words === '') return -1
  const isInside = (at: number) => wordSign.test(text.charAt(at - 1)) && wordSign.test(text.charAt(at))
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1))
    if (!isInside(at) && !isInside(at + words.length)) return at
  return -1
}

/** The noun of a count is known to the claim only. */
function withoutUnit(claim: LocatedClaim): LocatedClaim {
  const { kind, value } = claim
  return kind === 'count' && value.type === 'number' ? { ...claim, value: { ...value, unit: '' } } : claim
}

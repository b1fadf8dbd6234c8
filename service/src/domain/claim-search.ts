/**
 * Searches claims by words, entity, attribute and period. Claims are stored encrypted, so this runs on decrypted ones.
 */
import type { LocatedClaim } from './claim.ts'
import { parsePeriod } from './period.ts'

export interface ClaimSearch {
  /** Each word must be the prefix of a word in the quote, entity, attribute, value or qualifiers. */
  readonly words?: string | undefined
  /** Each word must be the prefix of a word in the entity. */
  readonly entity?: string | undefined
  readonly attribute?: string | undefined
  /** A period in the form of the contract. A claim about any day of the period matches. */
  readonly period?: string | undefined
}

export type ClaimMatcher = (claim: LocatedClaim) => boolean

/** Returns undefined if the query has no condition. */
export function createClaimMatcher({
  words,
  entity,
  attribute,
  period,
}: ClaimSearch): ClaimMatcher | undefined {
  const tests = [
    words === undefined ? [] : [byWords(words, textsOf)],
    entity === undefined ? [] : [byWords(entity, ({ subject }) => [subject.text])],
    attribute === undefined ? [] : [byWords(attribute, (claim) => [claim.attribute.text])],
    period === undefined ? [] : [byPeriod(period)],
  ].flat()
  return tests.length === 0 ? undefined : (claim) => tests.every((test) => test(claim))
}

function textsOf({ subject, attribute, qualifiers, valueText, quote }: LocatedClaim): readonly string[] {
  return [quote, subject.text, attribute.text, valueText, ...qualifiers]
}

/** A query without letters and digits matches nothing. */
function byWords(wanted: string, textsIn: (claim: LocatedClaim) => readonly string[]): ClaimMatcher {
  const beginnings = wordsOf(wanted)
  return (claim) => {
    const words = textsIn(claim).flatMap(wordsOf)
    return (
      beginnings.length > 0 &&
      beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)))
    )
  }
}

function byPeriod(period: string): ClaimMatcher {
  const [first, last] = parsePeriod(period)
  return (claim) => claim.period !== null && claim.period[0] <= last && claim.period[1] >= first
}

/** Returns the words in lower case and without accents. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

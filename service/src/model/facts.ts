/**
 * A fact is a statement that one or more documents make. Claims with the same statement, meant in the same way, are witnesses of one
 * fact, so that repeating something costs nothing to compare.
 */
import type { LocatedClaim } from '../domain/claim.ts'
import type { PlacedClaim } from '../domain/finding.ts'
import { spelledWords } from './words.ts'

/**
 * Equal for claims that state one fact. An isolated claim is a fact of its document alone, since a fact is shown and verified by any of the
 * claims that state it.
 */
export function factKeyOf(claim: LocatedClaim, documentId?: string): string {
  const key = `${claim.stated?.modality ?? claim.modality}: ${normaliseStatement(statementOf(claim))}`
  // @point comparison.isolate-facts
  return claim.stated?.isolated ? `${documentId ?? ''}\n${key}` : key
}

/** The self-contained sentence of a claim; for a claim of the rule reader, its quote. */
export function statementOf(claim: LocatedClaim): string {
  return claim.stated?.statement ?? claim.quote
}

/** Forms of a sign that mean the same: ligatures, full and half width, spaces. Superscripts are not among them: 10⁶ is not 106. */
const sameForms = /[\u00a0\u2000-\u200a\u202f\u3000\ufb00-\ufb06\uff01-\uffee]/gu
/** A word behind a number may be a unit, of which case is a part: 5 MW are not 5 mW. */
const unitAfterNumber = /(\p{N}[\s\u00a0]*)(\p{L}{1,3})(?![\p{L}\p{N}])/gu
const upperCase = /\p{Lu}/gu

/** Case, white space, forms of a sign and the full stop at the end make no difference. */
function normaliseStatement(statement: string): string {
  return statement
    .normalize('NFC')
    .replaceAll(sameForms, (form) => form.normalize('NFKC'))
    .replaceAll(
      unitAfterNumber,
      (_, number: string, unit: string) => number + unit.replaceAll(upperCase, '^$&'),
    )
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/[.!]+$/, '')
}

const charactersPerToken = 4

/** Estimated length of the statement. */
export function tokensOf(claim: LocatedClaim): number {
  return Math.ceil(statementOf(claim).length / charactersPerToken)
}

const maxWords = 24

/**
 * The words by which a claim is found: stems of names, codes and figures first, then those of its attribute, its subject and the rest of
 * its statement.
 */
export function wordsOf(claim: LocatedClaim): string[] {
  const statement = spelledWords(statementOf(claim))
  const subject = spelledWords(claim.subject.text)
  const specific = [...subject, ...statement].filter(({ isSpecific }) => isSpecific)
  const ordered = [...specific, ...spelledWords(claim.attribute.text), ...subject, ...statement]
  return [...new Set(ordered.map(({ stem }) => stem))].slice(0, maxWords)
}

/** Sorts by date, and by document id if the dates do not decide. */
export function inOrder<Each extends PlacedClaim>(x: Each, y: Each): readonly [Each, Each] {
  const [first, second] = [x.claim.assertedAt, y.claim.assertedAt]
  if (first !== null && second !== null && first !== second) return first < second ? [x, y] : [y, x]
  if (x.documentId === y.documentId) return x.no < y.no ? [x, y] : [y, x]
  return x.documentId < y.documentId ? [x, y] : [y, x]
}

/** Collects the claims of all passages, up to the limits, and notes each passage that was not read completely. */
import type { Claim } from '@concord/reading/src/claim.ts'
import type { UnreadSpan } from '@concord/reading/src/report.ts'
import type { Passage } from '@concord/reading/src/format.ts'

export interface CollectedClaims {
  readonly claims: Claim[]
  readonly unread: readonly UnreadSpan[]
}

const maxClaims = 400
/** Characters of all claims together: a claim of a long line quotes the whole line, and so does each of its neighbours. */
const maxCharacters = 1_000_000

/**
 * A passage is unread if it is in another language, if a limit drops one of its values or claims, if the limits were reached before it, or if reading it throws:
 * one such passage must not cost the document all others.
 */
export function collectClaims(
  passages: readonly Passage[],
  first: readonly Claim[],
  readPassage: (index: number) => PassageClaims,
  foreign: ReadonlySet<number> = new Set(),
): CollectedClaims {
  const claims = first.slice(0, maxClaims)
  const unread: UnreadSpan[] = []
  const add = createAdder(claims)
  let isFull = claims.length >= maxClaims
  for (const [index, { span }] of passages.entries()) {
    const end = foreign.has(index) ? 'language' : isFull ? 'full' : readInto(add, readPassage, index)
    // @point reading.unread
    if (end !== null) unread.push({ reason: end === 'full' ? 'limit' : end, span, isPassage: true })
    isFull ||= end === 'full' || claims.length >= maxClaims
  }
  return { claims, unread }
}

export interface PassageClaims {
  readonly claims: readonly Claim[]
  /** A limit within the passage left out some of its values. */
  readonly isCut: boolean
}

/** `full`: the claims do not fit any more. */
function readInto(
  add: (claim: Claim) => boolean,
  readPassage: (index: number) => PassageClaims,
  index: number,
): 'full' | 'limit' | 'failed' | null {
  try {
    const { claims, isCut } = readPassage(index)
    if (!claims.every(add)) return 'full'
    return isCut ? 'limit' : null
  } catch {
    // @point reading.passage-failed
    return 'failed'
  }
}

/** Answers false for a claim that is over a limit. A claim that is there already is as good as added. */
function createAdder(claims: Claim[]): (claim: Claim) => boolean {
  const isNew = createMemory()
  let characters = claims.reduce((total, claim) => total + lengthOf(claim), 0)
  return (claim) => {
    if (!isNew(claim)) return true
    characters += lengthOf(claim)
    if (claims.length >= maxClaims || characters > maxCharacters) return false
    claims.push(claim)
    return true
  }
}

function lengthOf({ quote, valueText, subject, attribute }: Claim): number {
  return quote.length + valueText.length + subject.text.length + attribute.text.length
}

/** A claim that a document repeats word for word about the same thing says nothing new: headers and footers of pages, standing phrases. */
function createMemory(): (claim: Claim) => boolean {
  const told = new Map<string, Claim[]>()
  return (claim) => {
    const alike = told.get(claim.quote)
    if (alike?.some((other) => isSame(other, claim))) return false
    if (alike) alike.push(claim)
    else told.set(claim.quote, [claim])
    return true
  }
}

/** Both claims have the same quote. */
function isSame(one: Claim, other: Claim): boolean {
  return (
    one.kind === other.kind &&
    one.valueText === other.valueText &&
    areSame(one.period ?? [], other.period ?? []) &&
    areSame(one.subject.words, other.subject.words) &&
    areSame(one.attribute.words, other.attribute.words) &&
    areSame(one.context, other.context)
  )
}

function areSame<Each>(some: readonly Each[], others: readonly Each[]): boolean {
  return some.length === others.length && some.every((each, at) => each === others[at])
}

/** Whether two claims are of the same measure: one head, and nothing beside it that makes another measure of it. */
import type { Prepared } from './prepared.ts'
import { blanketNouns, canonicalWord, distinguishing, vagueHeads } from './words.ts'

export interface AttributeMatch {
  readonly same: boolean
  /** Between 0 and 1: how much of what narrows both is shared. */
  readonly strength: number
}

const other: AttributeMatch = { same: false, strength: 0 }

function nounOf(claim: Prepared): string {
  const { value, kind } = claim.claim
  return kind === 'count' && value.type === 'number' && value.unit !== ''
    ? canonicalWord(value.unit)
    : claim.head
}

function headsMeet(a: Prepared, b: Prepared): boolean {
  if (a.head === b.head && a.head !== '') return true
  if (a.initials.includes(b.head) || b.initials.includes(a.head)) return true
  return (a.family === 'any' || b.family === 'any') && nounOf(a) === nounOf(b)
}

function writtenShort(a: Prepared, b: Prepared): boolean {
  return a.head !== b.head && (a.initials.includes(b.head) || b.initials.includes(a.head))
}

/** What narrows one side and is nowhere to be found on the other. */
function unmatched(from: Prepared, against: Prepared): string[] {
  return from.narrowing.filter(
    (word) =>
      !against.narrowing.includes(word) &&
      word !== against.head &&
      !against.context.includes(word) &&
      !against.subject.includes(word),
  )
}

function shared(a: Prepared, b: Prepared): number {
  return a.narrowing.filter((word) => b.narrowing.includes(word)).length
}

function judgeRests(
  a: Prepared,
  b: Prepared,
  restA: readonly string[],
  restB: readonly string[],
): AttributeMatch {
  const common = shared(a, b)
  const rest = restA.length + restB.length
  if (rest === 0) return { same: true, strength: 1 }
  if (restA.some((word) => distinguishing.has(word)) || restB.some((word) => distinguishing.has(word)))
    return other
  if (restA.length > 0 && restB.length > 0 && common <= rest / 2) return other
  return { same: true, strength: (common + 1) / (common + 1 + rest) }
}

export function compareAttributes(a: Prepared, b: Prepared): AttributeMatch {
  if (!headsMeet(a, b)) return other
  if (writtenShort(a, b)) return { same: true, strength: 1 }
  const match = judgeRests(a, b, unmatched(a, b), unmatched(b, a))
  if (!match.same) return other
  const vague = vagueHeads.has(a.head) && shared(a, b) === 0 && sharedContext(a, b) === 0
  return vague ? other : match
}

/** Words of both sentences beside the measure itself. */
export function sharedContext(a: Prepared, b: Prepared): number {
  return a.context.filter(
    (word) => b.context.includes(word) || b.narrowing.includes(word) || b.subject.includes(word),
  ).length
}

/** "No issues were identified" against any sentence with an issue in it. */
export function isBlanketDenial(a: Prepared, b: Prepared): boolean {
  if (a.family !== 'any' && b.family !== 'any') return false
  if (!blanketNouns.has(nounOf(a))) return false
  return shared(a, b) === 0 && sharedContext(a, b) < 2
}

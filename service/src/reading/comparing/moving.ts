/** Why two values for one thing differ: one corrects the other, time moved on, or they contradict each other. */
import type { Prepared } from './prepared.ts'
import { isMoment, type PeriodMatch } from './periods.ts'
import { compareValues } from './values.ts'
import { flows } from './words.ts'
import { isCorrected } from './worlds.ts'

export interface Movement {
  readonly relation: 'conflict' | 'restatement' | 'change'
  /** Says which value it replaces, and the other has just that one. */
  readonly named: boolean
}

const conflict: Movement = { relation: 'conflict', named: false }

function replacesValueOf(newer: Prepared, older: Prepared): boolean {
  const replaced = newer.claim.replaces?.value ?? null
  return replaced !== null && compareValues(replaced, older.claim.value) === 'same'
}

/** A correction cannot reach forward: who repeats the old value afterwards contradicts it. */
function notBefore(newer: Prepared, older: Prepared): boolean {
  const later = newer.claim.assertedAt
  const earlier = older.claim.assertedAt
  return later === null || earlier === null || later >= earlier
}

function strictlyAfter(newer: Prepared, older: Prepared): boolean {
  const later = newer.claim.assertedAt
  const earlier = older.claim.assertedAt
  return later !== null && earlier !== null && later > earlier
}

/** What one claim says of its own newness against the other; null where it says nothing. */
function announced(newer: Prepared, older: Prepared): Movement | null {
  const { replaces } = newer.claim
  if (replaces === null || !notBefore(newer, older)) return null
  const relation = replaces.by === 'correction' ? 'restatement' : 'change'
  if (replacesValueOf(newer, older)) return { relation, named: true }
  if (replaces.value === null && strictlyAfter(newer, older)) return { relation, named: false }
  return null
}

/** An ordered status moves forward between dated documents. */
function progressed(newer: Prepared, older: Prepared): boolean {
  const later = newer.claim
  const earlier = older.claim
  if (later.kind !== 'status' || earlier.kind !== 'status') return false
  if (later.value.type !== 'word' || earlier.value.type !== 'word') return false
  if (later.value.rank === null || earlier.value.rank === null) return false
  return strictlyAfter(newer, older) && later.value.rank > earlier.value.rank
}

/** Two stated days for a thing that has a state, not a sum over time. */
function twoMoments(a: Prepared, b: Prepared, periods: PeriodMatch): boolean {
  if (periods !== 'apart') return false
  if (a.claim.value.type !== 'number') return true
  return isMoment(a.claim.period) && isMoment(b.claim.period) && !flows.has(a.head)
}

/** Two plans of two dates: plans are made to be changed. */
function planMoved(a: Prepared, b: Prepared): boolean {
  if (a.claim.modality !== 'plan' || b.claim.modality !== 'plan') return false
  return strictlyAfter(a, b) || strictlyAfter(b, a)
}

export function movement(a: Prepared, b: Prepared, periods: PeriodMatch): Movement {
  const said = announced(a, b) ?? announced(b, a)
  if (said?.named === true || (said !== null && periods !== 'apart')) return said
  if (twoMoments(a, b, periods) || progressed(a, b) || progressed(b, a))
    return { relation: 'change', named: false }
  if (isCorrected(a) !== isCorrected(b) && (isCorrected(a) ? notBefore(a, b) : notBefore(b, a))) {
    return { relation: 'restatement', named: false }
  }
  return planMoved(a, b) ? { relation: 'change', named: false } : conflict
}

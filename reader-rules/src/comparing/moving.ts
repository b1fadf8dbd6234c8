/** Why two values for one thing differ: one corrects the other, time moved on, or they contradict each other. */
import type { Claim, Value } from '@concord/reading/src/claim.ts'
import type { Prepared } from './prepared.ts'
import { isMoment, type PeriodMatch } from './periods.ts'
import { compareValues } from './values.ts'
import { flows } from './words.ts'
import { isCorrected } from './worlds.ts'

export interface ValueMovement {
  readonly relation: 'conflict' | 'restatement' | 'change'
  /** One of them says that it replaces another value. */
  readonly announced: boolean
  /** Says which one, and the other has just that. */
  readonly named: boolean
}

const conflict: ValueMovement = { relation: 'conflict', announced: false, named: false }
const change: ValueMovement = { relation: 'change', announced: false, named: false }
const restatement: ValueMovement = { relation: 'restatement', announced: false, named: false }

/** "54 per cent, not 52", "28 days instead of 26": the old value goes without its unit and is meant in that of the new one. */
function withUnitOf(replaced: Value, { value, valueText }: Claim): Value {
  if (replaced.type !== 'number' || value.type !== 'number' || replaced.unit === value.unit) return replaced
  if (replaced.unit !== '' || value.low === null || replaced.low === null || replaced.high === null)
    return replaced
  const printed = Number((/\d[\d,]*(?:\.\d+)?/u.exec(valueText)?.[0] ?? '').replaceAll(',', ''))
  const scale = printed > 0 ? value.low / printed : 1
  return {
    ...replaced,
    unit: value.unit,
    low: replaced.low * scale,
    high: replaced.high * scale,
    step: value.step,
  }
}

/** Says in place of which value it stands, and the other has just that one. */
export function replacesValueOf(newer: Prepared, older: Prepared): boolean {
  const replaced = newer.claim.replaces?.value ?? null
  if (replaced === null) return false
  return compareValues(withUnitOf(replaced, newer.claim), older.claim.value) === 'same'
}

/** A correction cannot reach forward: who repeats the old value afterwards contradicts it. */
function notBefore(newer: Prepared, older: Prepared): boolean {
  const later = newer.claim.assertedAt
  const earlier = older.claim.assertedAt
  return later === null || earlier === null || later >= earlier
}

/** Known by dates alone: of two documents without them nobody knows which is later. */
export function strictlyAfter(newer: Prepared, older: Prepared): boolean {
  const later = newer.claim.assertedAt
  const earlier = older.claim.assertedAt
  return later !== null && earlier !== null && later > earlier
}

/** The statement of one claim about its own newness against the other; null where it says nothing. */
function announced(newer: Prepared, older: Prepared): ValueMovement | null {
  const { replaces } = newer.claim
  if (replaces === null || !notBefore(newer, older)) return null
  const relation = replaces.by === 'correction' || isCorrected(newer) ? 'restatement' : 'change'
  if (replacesValueOf(newer, older)) return { relation, announced: true, named: true }
  if (replaces.value === null && strictlyAfter(newer, older))
    return { relation, announced: true, named: false }
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

/** Two stated days for a thing that has a state, not a sum or a share over time. */
function twoMoments(a: Prepared, b: Prepared, periods: PeriodMatch): boolean {
  if (periods !== 'apart' || a.claim.kind === 'percent' || b.claim.kind === 'percent') return false
  if (a.claim.value.type !== 'number' || b.claim.value.type !== 'number') return false
  return isMoment(a.claim.period) && isMoment(b.claim.period) && !a.words.some((word) => flows.has(word))
}

/** A statement that holds from a day on does not gainsay what was said before that day. */
function tookEffect(newer: Prepared, older: Prepared): boolean {
  const { period, value } = newer.claim
  if (period === null || newer.claim.kind === 'percent') return false
  if (value.type !== 'number' && value.type !== 'name') return false
  if (older.claim.period !== null && value.type === 'number') return false
  return isMoment(period) && older.claim.assertedAt !== null && period[0] > older.claim.assertedAt
}

/** Two plans of two dates: plans are made to be changed. */
function planMoved(a: Prepared, b: Prepared): boolean {
  if (a.claim.modality !== 'plan' || b.claim.modality !== 'plan') return false
  return strictlyAfter(a, b) || strictlyAfter(b, a)
}

function timeMoved(a: Prepared, b: Prepared, periods: PeriodMatch): boolean {
  if (twoMoments(a, b, periods) || planMoved(a, b)) return true
  return progressed(a, b) || progressed(b, a) || tookEffect(a, b) || tookEffect(b, a)
}

function isMended(a: Prepared, b: Prepared): boolean {
  if (isCorrected(a) === isCorrected(b)) return false
  return isCorrected(a) ? notBefore(a, b) : notBefore(b, a)
}

export function movement(a: Prepared, b: Prepared, periods: PeriodMatch): ValueMovement {
  const said = announced(a, b) ?? announced(b, a)
  if (said !== null && (said.named || said.relation === 'change' || periods !== 'apart')) return said
  if (isMended(a, b)) return restatement
  return timeMoved(a, b, periods) ? change : conflict
}

/**
 * Whether it is known that this one takes the place of the other, of two that are a restatement: it names the value that it
 * corrects, or it is marked as corrected and later by date. The mark alone does not say which other document it corrects.
 */
export function restates(newer: Prepared, older: Prepared): boolean {
  if (announced(newer, older)?.relation === 'restatement') return true
  return isCorrected(newer) && !isCorrected(older) && strictlyAfter(newer, older)
}

/** Says where on the way a labelled pair was lost: no claim, no common key, judged otherwise, or not reported. */
import type { LocatedClaim, Value } from '@concord/service/src/domain/claim.ts'
import type { Judgement, PlacedClaim } from '@concord/service/src/domain/finding.ts'
import { reportedFrom } from '@concord/reader-rules/src/comparing/scoring.ts'
import type { Cause, ReportPlace } from '../report.ts'
import { placeKey } from './groups.ts'
import type { Group } from './groups.ts'
import { judge, keysOf } from './reading.ts'

export interface MissContext {
  readonly claims: readonly PlacedClaim[]
  readonly groups: ReadonlyMap<string, Group>
}

interface Step {
  /** How far the pair came; the one that came farthest tells the cause. */
  readonly stage: number
  readonly cause: string
  readonly a: PlacedClaim
  readonly b: PlacedClaim
  readonly note: string
}

export function explainLoss(scene: MissContext, a: readonly ReportPlace[], b: readonly ReportPlace[]): Cause {
  const [left, right] = [claimsAt(scene, a), claimsAt(scene, b)]
  const sides = [...describeSide('a', left), ...describeSide('b', right)]
  if (left.length === 0 || right.length === 0) {
    const missing = [left.length === 0 ? 'a' : '', right.length === 0 ? 'b' : ''].filter(
      (side) => side !== '',
    )
    return { cause: `no claim on side ${missing.join(' and ')}`, detail: sides }
  }
  const steps = left.flatMap((x) => right.map((y) => stepOf(scene, x, y)))
  const farthest = steps.reduce((best, step) => (step.stage > best.stage ? step : best))
  const untyped = [left.some(isTyped) ? '' : 'a', right.some(isTyped) ? '' : 'b'].filter(
    (side) => side !== '',
  )
  // Nearly every sentence is also a claim as a whole. Where that is all there is, the value at issue was not read.
  if (farthest.stage < MET && untyped.length > 0)
    return { cause: `no typed claim on side ${untyped.join(' and ')}`, detail: sides }
  return {
    cause: farthest.cause,
    detail: [
      ...sides,
      `farthest: ${placeKey(farthest.a)} and ${placeKey(farthest.b)}: ${farthest.cause}${farthest.note}`,
    ],
  }
}

/** From this stage on, the two claims share a key. */
const MET = 3

function isTyped({ claim: { value } }: PlacedClaim): boolean {
  return !(value.type === 'word' && value.family === 'statement')
}

function stepOf({ groups }: MissContext, a: PlacedClaim, b: PlacedClaim): Step {
  const verdict = judge(a.claim, b.claim)
  const shared = keysOf(a.claim).filter((key) => keysOf(b.claim).includes(key))
  const told = `${verdict.relation} (${verdict.reason}, ${verdict.score.toFixed(2)})`
  const step = (stage: number, cause: string, note: string): Step => ({ stage, cause, a, b, note })
  if (shared.length === 0) {
    const otherwise = verdict.relation === 'not_comparable' ? verdict.reason : verdict.relation
    // A date and a name have nothing to do with each other; claims of one kind tell more.
    const stage = isFinding(verdict) ? 2 : Number(otherwise !== 'other_kind')
    return step(stage, `no shared key, else ${otherwise}`, ` (${verdict.score.toFixed(2)})${keysNote(a, b)}`)
  }
  if (verdict.relation === 'not_comparable')
    return step(3, `not comparable: ${verdict.reason}`, `, key ${shared.join(' ')}`)
  if (!isFinding(verdict))
    return step(4, `judged ${verdict.relation}`, ` (${verdict.reason}), key ${shared.join(' ')}`)
  const isCompared = shared.some((key) => {
    const chosen = groups.get(key)?.chosen ?? []
    return chosen.includes(a) && chosen.includes(b)
  })
  if (verdict.score < reportedFrom)
    return step(5, 'below the threshold', `: ${told}, key ${shared.join(' ')}`)
  if (!isCompared) return step(5, 'lost in the group cap', `, judged ${told}`)
  return step(6, 'another pair told in its place', `: ${told}, key ${shared.join(' ')}`)
}

function isFinding({ relation }: Judgement): boolean {
  return relation === 'conflict' || relation === 'restatement' || relation === 'change'
}

function keysNote(a: PlacedClaim, b: PlacedClaim): string {
  return `; keys a: ${keysOf(a.claim).join(' ')}; b: ${keysOf(b.claim).join(' ')}`
}

function claimsAt({ claims }: MissContext, places: readonly ReportPlace[]): readonly PlacedClaim[] {
  const within = claims.filter(({ documentId, claim }) =>
    places.some(({ document, start, end }) => {
      const [from, to] = claim.span
      return document === documentId && from < end && start < to
    }),
  )
  // For a long sentence with several claims, those whose value stands in the quote are meant.
  const exact = within.filter(({ documentId, claim }) =>
    places.some(({ document, start, end }) => {
      const [from, to] = claim.valueSpan
      return document === documentId && from < end && start < to
    }),
  )
  return exact.length > 0 ? exact : within
}

function describeSide(side: string, claims: readonly PlacedClaim[]): string[] {
  return claims.map((placed) => `claim ${side} ${placeKey(placed)} ${describeClaim(placed.claim)}`)
}

export function describeClaim(claim: LocatedClaim): string {
  const { kind, subject, attribute, qualifiers, modality, period } = claim
  const parts = [
    `${kind} ${describeValue(claim.value)}`,
    `of [${attribute.words.join(' ')}]`,
    `for [${subject.words.join(' ')}] (${subject.from})`,
    qualifiers.length > 0 ? `{${qualifiers.join(', ')}}` : '',
    modality === 'actual' ? '' : modality,
    period === null ? '' : period.map(dayText).join('..'),
    claim.replaces === null ? '' : `replaces by ${claim.replaces.by}`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function describeValue(value: Value): string {
  switch (value.type) {
    case 'number':
      return `${value.bound ?? ''}${value.low ?? ''}${value.high === value.low ? '' : `..${value.high ?? ''}`} ${value.unit}`
    case 'date':
      return value.days.map(dayText).join('..')
    case 'word':
      return `${value.family}:${value.word}`
    case 'name':
      return value.words.join(' ')
    case 'existence':
      return `${value.exists ? 'exists' : 'none'}${value.blanket ? ' at all' : ''}`
  }
}

const dayText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)

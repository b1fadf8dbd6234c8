/** The metrics of a scope over time: the points of a response, and percentiles of durations. Pure rules. */
import { Fault } from './fault.ts'

export type MetricsStep = '1m' | '5m' | '15m' | '1h' | '1d'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const STEP_MS: Readonly<Record<MetricsStep, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '1d': DAY_MS,
}

/** The maximum number of points: more than a chart can show. */
const MAX_POINTS = 1_000

/** The retention of points narrower than an hour. */
export const NARROW_KEPT_MS = 8 * DAY_MS

export interface MetricsRequest {
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly step: MetricsStep
}

export interface MetricsWindow {
  /** Both are multiples of the step since 1970, in UTC. */
  readonly from: Date
  readonly to: Date
  readonly stepMs: number
}

export function decideWindow({ from, to, step }: MetricsRequest, now: Date): MetricsWindow {
  const stepMs = STEP_MS[step]
  const end = Math.min(to?.getTime() ?? Infinity, now.getTime())
  const begin = from?.getTime() ?? end - HOUR_MS
  if (begin >= end) throw refusal('from', 'not_before_to', 'Send an instant before `to` and before now.')
  const first = Math.floor(begin / stepMs) * stepMs
  const last = Math.ceil(end / stepMs) * stepMs
  const points = (last - first) / stepMs
  if (points > MAX_POINTS)
    throw refusal(
      'step',
      'too_many_points',
      `Send a wider step or a shorter time: this makes ${points} points, and an answer has at most ${MAX_POINTS}.`,
    )
  if (stepMs < HOUR_MS && begin < now.getTime() - NARROW_KEPT_MS)
    throw refusal(
      'from',
      'too_long_ago',
      'Send a step of 1h or 1d, or a later instant: narrower points are kept for eight days.',
    )
  return { from: new Date(first), to: new Date(last), stepMs }
}

function refusal(parameter: string, code: string, message: string): Fault {
  return new Fault('validation_failed', { fields: [{ pointer: `query#/${parameter}`, code, message }] })
}

/** Where the points of the window begin. */
export function pointsOf({ from, to, stepMs }: MetricsWindow): Date[] {
  const count = (to.getTime() - from.getTime()) / stepMs
  return Array.from({ length: count }, (_, index) => new Date(from.getTime() + index * stepMs))
}

/** The number of durations per bucket. The database function `duration_bucket` assigns the bucket. */
export type Buckets = Readonly<Record<string, number>>

export interface Percentiles {
  readonly p50: number
  readonly p90: number
  readonly p99: number
}

/** Returns milliseconds; null if nothing was measured. */
export function percentilesOf(buckets: Buckets | null): Percentiles | null {
  const filled = Object.entries(buckets ?? {})
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => a.bucket - b.bucket)
  const total = filled.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  const at = (share: number): number => {
    let before = 0
    const found = filled.find(({ count }) => (before += count) >= share * total)
    return middleOf(found?.bucket ?? 0)
  }
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}

/** There are four buckets per doubling, so no duration is further than a tenth from the middle of its bucket. */
function middleOf(bucket: number): number {
  return Math.round(10 * 2 ** ((bucket - 0.5) / 4)) / 10
}

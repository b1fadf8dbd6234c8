/** The bounds for a loud neighbour and what it must still get. Pure, so that it can be shown to notice. */
import { percentile } from '../../harness/statistics.ts'

/** How many times as long as alone the 99th percentile may take beside the loud tenant. */
export const WAIT_FACTOR = 1.5
export const ANSWER_FACTOR = 2
/** The time that a clock, a timer and a busy processor may add to a short wait, whoever else is there. */
const ALLOWANCE_MS = 50
export const LEAST_SHARE = 0.8

export function judgeSlowdown(alone: readonly number[], beside: readonly number[], factor: number) {
  return { measured: percentile(beside, 0.99), bound: percentile(alone, 0.99) * factor + ALLOWANCE_MS }
}

export interface Throughput {
  /** The pace of the loud tenant, in documents a second, with nobody else there. */
  readonly alone: number
  /** The pace of the loud tenant, beside the quiet ones. */
  readonly beside: number
  /** The pace of the quiet ones together, at the same time. */
  readonly quiet: number
}

/** How much the loud tenant gets of what the quiet ones leave. */
export function shareOfTheRest({ alone, beside, quiet }: Throughput): number {
  return beside / Math.max(0, alone - quiet)
}

/** The plan of kills: which process, in which order, and how long after the one before: a pure function of the seed. */
import { shuffle, sum } from '../../harness/statistics.ts'

export const killKinds = ['api', 'dispatcher', 'worker', 'postgres', 'nats'] as const

export type KillKind = (typeof killKinds)[number]

export interface PlannedKill {
  readonly kind: KillKind
  /** After the kill before it. */
  readonly afterMs: number
}

/** Workers and APIs die most in real life too; a server takes everything along, so it dies less often. */
const SHARES: Readonly<Record<KillKind, number>> = {
  api: 5,
  dispatcher: 3,
  worker: 6,
  postgres: 3,
  nats: 3,
}

const TOTAL_SHARES = sum(Object.values(SHARES))

export interface PlanOptions {
  readonly kills: number
  readonly random: () => number
  readonly minGapMs: number
  readonly maxGapMs: number
}

/** Every kind gets its share exactly, only the order and the gaps are left to chance. */
export function planKills({ kills, random, minGapMs, maxGapMs }: PlanOptions): PlannedKill[] {
  const kinds = killKinds.flatMap((kind) =>
    Array.from({ length: Math.round((kills * SHARES[kind]) / TOTAL_SHARES) }, () => kind),
  )
  while (kinds.length < kills) kinds.push('worker')
  return shuffle(kinds.slice(0, kills), random).map((kind) => ({
    kind,
    afterMs: Math.round(minGapMs + (maxGapMs - minGapMs) * random()),
  }))
}

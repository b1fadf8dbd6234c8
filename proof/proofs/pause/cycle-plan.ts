/** When to pause what, for how long, and through which API: drawn before the run, so that a seed repeats it. */
import type { Place } from '../../harness/places.ts'
import { pick } from '../../harness/statistics.ts'

export const levels = ['service', 'tenant', 'scope'] as const

export type Level = (typeof levels)[number]

/** The target of a switch: the level that it stands above. */
export interface Target {
  readonly level: Level
  /** The place: nothing of it counts for the service, of a tenant the tenant, of a scope all. */
  readonly place: Place
}

export interface PlannedCycle {
  readonly target: Target
  /** Which of the APIs pauses; another one resumes. */
  readonly api: number
  readonly afterMs: number
  readonly stayMs: number
}

export interface CyclePlanOptions {
  readonly cycles: number
  readonly apis: number
  readonly places: readonly [Place, ...Place[]]
  readonly random: () => number
}

const MAX_GAP_MS = 500
const STAY_MS = { min: 100, max: 400 }

export function planCycles({ cycles, apis, places, random }: CyclePlanOptions): PlannedCycle[] {
  return Array.from({ length: cycles }, () => {
    return {
      target: { level: pick(levels, random), place: pick(places, random) },
      api: Math.floor(random() * apis),
      afterMs: random() * MAX_GAP_MS,
      stayMs: STAY_MS.min + random() * (STAY_MS.max - STAY_MS.min),
    }
  })
}

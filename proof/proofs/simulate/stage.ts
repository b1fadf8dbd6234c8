/** A simulated world as its actors see it. */
import type { SimulatedBroker } from './broker.ts'
import type { Chance } from '../../harness/chance.ts'
import type { DocumentRef, Rules, Tables } from './rules.ts'

/** The product's own, loaded from it, so that the simulation cannot drift from them. */
export interface SimulationLimits {
  readonly maxAttempts: number
  readonly maxStarts: number
  retryDelayMs(attempt: number, random: number): number
}

export interface SimulateStage {
  readonly rules: Rules
  readonly limits: SimulationLimits
  readonly broker: SimulatedBroker
  readonly chance: Chance
  /** How much one dispatcher may have out at once. */
  readonly window: number
  /** How many messages one worker has in flight at most. */
  readonly capacity: number
  readonly refs: readonly DocumentRef[]
  now(): number
  tables(): Tables
  /** Until faults stop. */
  isStormy(): boolean
  /** Counts that something happened which a run must have seen to mean anything. */
  meet(what: string): void
}

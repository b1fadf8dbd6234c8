/** The shape of a proof. */
import type { Figures } from './figures.ts'
import type { Services } from '@concord/tools/services'

export interface ProofRun {
  readonly services: Services
  readonly figures: Figures
  /** Ends within 60 seconds. */
  readonly short: boolean
  /** Something that the proof must notice is broken on purpose; the proof is worth nothing if it stays green. */
  readonly sabotage: boolean
  /** Printed at the start, so that a failing run can be repeated. */
  readonly seed: number
  readonly print: (line: string) => void
}

/** Thrown by a proof that this machine cannot run. Only a short run may go without it. */
export class LeftOut extends Error {}

export interface Proof {
  readonly name: string
  /** One sentence: what is shown. */
  readonly shows: string
  /** One sentence: what --sabotage breaks. */
  readonly sabotages: string
  run(run: ProofRun): Promise<void>
}

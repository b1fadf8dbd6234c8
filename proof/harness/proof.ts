/** The shape of a proof, and the frame that all proofs share: the size of a run and the copy of the repository it proves. */
import type { Services } from '@concord/tools/services'
import type { Figures } from './figures.ts'
import { withMutatedRepository } from './mutation.ts'
import type { Mutation } from './mutation.ts'

export interface ProofRunOptions {
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

export interface ProofRun<Size = unknown> extends ProofRunOptions {
  /** Names its deployment; no other run has the same name at the same time. */
  readonly name: string
  readonly size: Size
  /** The changed copy of the repository that is proved; undefined for the repository itself. */
  readonly repository: string | undefined
}

/** Thrown by a proof that this machine cannot run. Only a short run may go without it. */
export class Skipped extends Error {}

export interface Proof {
  readonly name: string
  /** One sentence: what is shown. */
  readonly shows: string
  /** One sentence: what --sabotage breaks. */
  readonly sabotages: string
  /** Some of its figures are times or rates, which other work on the machine spoils. */
  readonly measuresPace?: boolean
  /** Why CI does not run it. */
  readonly byHand?: string
  run(options: ProofRunOptions): Promise<void>
}

export interface ProofDefinition<Size> extends Omit<Proof, 'run'> {
  readonly sizes: {
    readonly full: Size
    readonly short: Size
    /** Replaces parts of either size where the fault shows sooner, or never lets the run end. */
    readonly sabotaged?: Partial<Size>
  }
  /** Changes that every run needs in the copy of the repository: a way to crash it, or to make it misbehave. */
  readonly instruments?: readonly Mutation[]
  /** Changes that --sabotage makes. A proof without any breaks something else when `run.sabotage` is set. */
  readonly mutations?: readonly Mutation[]
  prove(run: ProofRun<Size>): Promise<void>
}

export function defineProof<Size>(definition: ProofDefinition<Size>): Proof {
  const { sizes, instruments = [], mutations = [], prove, ...proof } = definition
  const { name } = proof
  return {
    ...proof,
    async run(options) {
      const { short, sabotage } = options
      const size = { ...(short ? sizes.short : sizes.full), ...(sabotage && sizes.sabotaged) }
      const run = { ...options, size, name: `${name.replaceAll('-', '_')}_${process.pid}` }
      const changes = [...instruments, ...(sabotage ? mutations : [])]
      if (changes.length === 0) return prove({ ...run, repository: undefined })
      return withMutatedRepository(changes, (repository) => prove({ ...run, repository }))
    },
  }
}

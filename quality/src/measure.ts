/** The input of every set, and its result. */
import type { Print } from './print.ts'
import type { Reader } from './report.ts'

export interface QualityInput {
  readonly reader: Reader
  /** The folder of the sets that are not ours; null where there is none. */
  readonly data: string | null
  readonly print: Print
  readonly verbose: boolean
  /** This set alone was asked for. */
  readonly alone: boolean
  /** The largest number of cases in a short run. */
  readonly most: number
  /** Names of cases that cannot be read: answers to their requests are not recorded. */
  readonly skips?: ReadonlySet<string>
}

/** One report with what a person says of it; from these, confidence is held against truth. */
export interface Sample {
  readonly rule: string
  readonly confidence: number
  /** From which confidence was made; null where only the outcome is known. */
  readonly score: number | null
  readonly right: boolean
}

export interface Measured {
  /** By name; null where there was nothing to divide by. */
  readonly figures: Readonly<Record<string, number | null>>
  readonly samples: readonly Sample[]
}

export interface QualitySet {
  readonly name: string
  readonly about: string
  /** Reads from the folder of foreign data. */
  readonly foreign: boolean
  readonly readsScopes: boolean
  run(bench: QualityInput): Promise<Measured>
}

export const sampleOf =
  (right: boolean) =>
  ({ rule, confidence, score }: Pick<Sample, 'rule' | 'confidence' | 'score'>): Sample => ({
    rule,
    confidence,
    score,
    right,
  })

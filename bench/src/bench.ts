/** The shape of a measurement. */
import type { Services } from '@concord/tools/services'

export interface BenchRun {
  readonly services: Services
  /** A quick look instead of a figure to quote. */
  readonly short: boolean
  /** The commit to measure beside, for benches that do. */
  readonly commit?: string
  readonly print: (line: string) => void
}

export interface Bench {
  readonly name: string
  /** One sentence: what is measured beside what. */
  readonly measures: string
  run(run: BenchRun): Promise<void>
}

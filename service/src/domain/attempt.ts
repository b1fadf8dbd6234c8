/**
 * One attempt at reading a document, and the closed set of ways it can end. A failure names its reason and a fixed
 * sentence; nothing of the document is in it, so it may be stored, shown and logged.
 */

export interface ReadingTask {
  readonly id: string
  readonly text: string
  /** An attempt before this one ended with a failure, not merely with its process. */
  readonly failedBefore: boolean
  /** Goes before others that wait: its tenant has little under way. */
  readonly priority?: boolean
}

/**
 * - `threw`: the reading code threw; the document, or the code, is at fault.
 * - `time_exceeded`: it was still being read when its time was up.
 * - `memory_exceeded`: reading it took more memory than one document may take, heap or buffers.
 * - `crashed`: the process it was read in ended, for none of the reasons above.
 */
export type FailureReason = 'threw' | 'time_exceeded' | 'memory_exceeded' | 'crashed'

export interface Done<Result> {
  readonly kind: 'done'
  readonly result: Result
  /** How long the reading itself took, waiting left out. */
  readonly ms: number
}

export interface Failed {
  readonly kind: 'failed'
  readonly reason: FailureReason
  /** A short sentence made of names, numbers and limits; never of content. */
  readonly detail: string
}

export type ReadingOutcome<Result> = Done<Result> | Failed

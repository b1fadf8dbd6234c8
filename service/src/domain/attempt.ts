/**
 * The task and the outcomes of one attempt to read a document. A failure has a reason and a fixed sentence without any
 * content of the document, so it may be stored, shown and logged.
 */

export interface ReadingTask {
  readonly id: string
  readonly text: string
  /** Whether an earlier attempt failed. The crash of a worker does not count. */
  readonly failedBefore: boolean
  /** The tenant has few documents in flight, so the task goes before other waiting tasks. */
  readonly priority?: boolean
}

/**
 * - `threw`: the reading code threw an error.
 * - `time_exceeded`: the reading took longer than its time limit.
 * - `memory_exceeded`: the reading took more memory than one document may take, in the heap or in buffers.
 * - `crashed`: the reading process ended for another reason.
 */
export type FailureReason = 'threw' | 'time_exceeded' | 'memory_exceeded' | 'crashed'

export interface Done<Result> {
  readonly kind: 'done'
  readonly result: Result
  /** The duration of the reading, without waiting. */
  readonly ms: number
}

export interface Failed {
  readonly kind: 'failed'
  readonly reason: FailureReason
  /** A short sentence made of names, numbers and limits; never of content. */
  readonly detail: string
}

export type ReadingOutcome<Result> = Done<Result> | Failed

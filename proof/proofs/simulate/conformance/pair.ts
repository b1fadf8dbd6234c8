/** The requests that both sides of a comparison understand, and the two sides of one history. */
import type { DocumentRef, RuntimeOp, Switch, WorkVerdict } from '../rules.ts'

export type Holder = 'one' | 'two'

/** Tickets are numbered as the model gives them; the product's own stand beside them in its side. */
export interface Try {
  readonly ref: DocumentRef
  readonly ticket: number
}

interface OnScope {
  readonly ref: DocumentRef
}

interface ByHolder {
  readonly holder: Holder
}

export interface Requests {
  accept: readonly { readonly ref: DocumentRef; readonly epoch: number; readonly fingerprint: string }[]
  start: readonly Try[]
  complete: readonly (Try & { readonly attempt: number; readonly verdict: WorkVerdict })[]
  retry: OnScope
  releaseHeld: OnScope
  moveSwitch: { readonly of: Switch; readonly op: RuntimeOp }
  remove: OnScope
  reset: OnScope
  /** The epoch alone, with all that was begun in the one before left in place. */
  raiseEpoch: OnScope
  renewLeases: ByHolder
  releaseLeases: ByHolder
  freeShard: { readonly shard: number }
  /** Answered with the documents that were dispatched. */
  dispatch: ByHolder & { readonly shards: readonly number[] }
  /** Compares what is out with what the broker is said to hold, and recalls. */
  reconcile: ByHolder & { readonly shards: readonly number[]; readonly held: number }
  /** The broker loses everything. */
  wipe: null
  wait: { readonly seconds: number }
}

/** Answers are words, or lists of words, that can be compared. */
export type ConformanceSide = {
  readonly [Kind in keyof Requests]: (request: Requests[Kind]) => Promise<unknown>
} & {
  /** Everything that is stored, in lines that can be compared. */
  picture(): Promise<readonly string[]>
}

export const REASON = 'threw'
export const LEASE_SECONDS = 5
export const WINDOW = 4
/** Fewer than the product allows, so that short histories get there; the statement takes any number. */
export const MAX_STARTS = 5
/** Apart from what is done before and after, because one side counts milliseconds and the other lets them pass. */
export const SETTLING_SECONDS = 1

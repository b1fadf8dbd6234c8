/** What both sides of a comparison are asked to do, in words that either of them understands. */
import type { Verdict } from '../store.ts'
import type { Place } from '../store.ts'
import type { Holder } from './histories.ts'

/** Tickets are numbered as the model gives them; the product's own stand beside them in its side. */
export interface Side {
  accept(texts: readonly AcceptText[]): Promise<readonly string[]>
  claim(tries: readonly Try[]): Promise<readonly string[]>
  settle(results: readonly TryResult[]): Promise<readonly string[]>
  retry(place: Place): Promise<string>
  remove(place: Place): Promise<string>
  reset(place: Place): Promise<void>
  /** The epoch alone, with all that was begun in the one before left in place. */
  raiseEpoch(place: Place): Promise<void>
  renewLeases(holder: Holder): Promise<string>
  giveUpLeases(holder: Holder): Promise<void>
  freeShard(shard: number): Promise<void>
  /** The documents that were released. */
  release(holder: Holder, shards: readonly number[]): Promise<readonly string[]>
  reconcile(holder: Holder, shards: readonly number[], held: number): Promise<string>
  wipe(): Promise<void>
  wait(seconds: number): Promise<void>
  /** Everything that is stored, in lines that can be compared. */
  picture(): Promise<readonly string[]>
}

export interface AcceptText {
  readonly place: Place
  readonly epoch: number
  readonly fingerprint: string
}

export interface Try {
  readonly place: Place
  readonly ticket: number
}

export interface TryResult extends Try {
  readonly attempt: number
  readonly verdict: Verdict
}

export const REASON = 'threw'
export const LEASE_SECONDS = 5
/** Fewer than the product allows, so that short histories get there; the statement takes any number. */
export const MAX_BEGUN = 5
/** Apart from what is done before and after, because one side counts milliseconds and the other lets them pass. */
export const SETTLING_SECONDS = 1

/**
 * The rules of leases, release, attempts and epochs as pure functions: (store, time, what is asked) to (store, answer,
 * log). In the product they are statements of Postgres; conformance/ shows that these here are the same.
 */
import { accept, remove, reset, retry } from './rules/accepting.ts'
import type { AcceptAnswer, AcceptRequest, DocumentAnswer, QueueAnswer } from './rules/accepting.ts'
import { claim, settle } from './rules/attempts.ts'
import type { ClaimAnswer, ClaimRequest, SettleAnswer, SettleRequest } from './rules/attempts.ts'
import {
  count,
  createRelease,
  freeShard,
  giveUpLeases,
  patienceFor,
  recall,
  RELEASE_PARTS,
  renewLeases,
} from './rules/releasing.ts'
import type { Patience, QueueSight, Released, ReleaseRequest } from './rules/releasing.ts'
import type { Change, Place, Store } from './store.ts'

/** What may be asked of the store, by name. */
export interface Questions {
  readonly accept: AcceptRequest
  readonly retry: { readonly place: Place }
  readonly remove: { readonly place: Place }
  readonly reset: { readonly scopeKey: string }
  readonly claim: ClaimRequest
  readonly settle: SettleRequest
  readonly renewLeases: { readonly holder: string; readonly ms: number }
  readonly giveUpLeases: { readonly holder: string }
  readonly freeShard: { readonly shard: number }
  readonly count: { readonly holder: string }
  readonly release: ReleaseRequest
  readonly recall: { readonly shards: readonly number[]; readonly patience: Patience }
}

export interface Answers {
  readonly accept: AcceptAnswer
  readonly retry: QueueAnswer
  readonly remove: DocumentAnswer
  readonly reset: { readonly epoch: number }
  readonly claim: ClaimAnswer
  readonly settle: SettleAnswer
  readonly renewLeases: readonly number[]
  readonly giveUpLeases: null
  readonly freeShard: null
  readonly count: number
  readonly release: readonly Released[]
  readonly recall: number
}

export type Kind = keyof Questions

export type Statements = {
  readonly [Each in Kind]: (store: Store, at: number, what: Questions[Each]) => Change<Answers[Each]>
}

/** The statements, and what a dispatcher decides by itself between two of them. */
export interface Rules extends Statements {
  readonly patienceFor: (queue: QueueSight, released: number) => Patience | null
}

export const RULES: Rules = {
  accept,
  retry,
  remove,
  reset,
  claim,
  settle,
  renewLeases,
  giveUpLeases,
  freeShard,
  count,
  release: createRelease(RELEASE_PARTS),
  recall,
  patienceFor,
}

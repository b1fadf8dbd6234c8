/**
 * The rules of leases, release, attempts and epochs as pure functions: (store, time, request) to (store, answer, log).
 * In the product they are statements of Postgres; conformance/ shows that these here are the same.
 */
import { accept, remove, reset, retry } from './rules/accepting.ts'
import { claim, settle } from './rules/attempts.ts'
import * as releasing from './rules/releasing.ts'
import type { Change, Store } from './store.ts'

const { count, freeShard, giveUpLeases, patienceFor, recall, renewLeases } = releasing

/** The statements, and what a dispatcher decides by itself between two of them. */
export const RULES = {
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
  release: releasing.createRelease(releasing.RELEASE_PARTS),
  recall,
  patienceFor,
}

export type Rules = typeof RULES
export type Kind = Exclude<keyof Rules, 'patienceFor'>
export type Questions = { readonly [Each in Kind]: Parameters<Rules[Each]>[2] }
export type Answers = { readonly [Each in Kind]: ReturnType<Rules[Each]>['answer'] }

export type Statements = {
  readonly [Each in Kind]: (store: Store, at: number, what: Questions[Each]) => Change<Answers[Each]>
}

/**
 * The executable specification of how documents are processed: leases, dispatch, attempts, switches and epochs as pure
 * functions from (tables, time, request) to (tables, answer, log entries).
 * The service runs them as statements of Postgres; `npm run prove -- simulate` compares both on random histories.
 */
import { complete, start } from './attempts.ts'
import * as dispatching from './dispatch.ts'
import { accept, releaseHeld, remove, reset, retry } from './documents.ts'
import { moveSwitch } from './switches.ts'
import type { Change, Tables } from './tables.ts'

const { countInFlight, freeShard, releaseLeases, recallAgeFor, recall, renewLeases } = dispatching

/** The rules of the statements, and of what a dispatcher decides between two of them. */
export const RULES = {
  accept,
  retry,
  releaseHeld,
  remove,
  reset,
  start,
  complete,
  moveSwitch,
  renewLeases,
  releaseLeases,
  freeShard,
  countInFlight,
  dispatch: dispatching.createDispatch(dispatching.DISPATCH_PARTS),
  recall,
  recallAgeFor,
}

export type Rules = typeof RULES
export type Kind = Exclude<keyof Rules, 'recallAgeFor'>
export type Questions = { readonly [Each in Kind]: Parameters<Rules[Each]>[2] }
export type Answers = { readonly [Each in Kind]: ReturnType<Rules[Each]>['answer'] }

export type Statements = {
  readonly [Each in Kind]: (tables: Tables, at: number, what: Questions[Each]) => Change<Answers[Each]>
}

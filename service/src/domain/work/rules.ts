/**
 * The rules by which documents are worked on, of leases, release, attempts, switches and epochs, as pure functions: (tables, time, request) to (tables, answer, log).
 * The service runs them as statements of Postgres; `npm run prove -- simulate` compares both on random histories.
 */
import { accept, releaseHeld, remove, reset, retry } from './accepting.ts'
import { claim, settle } from './attempts.ts'
import * as releasing from './releasing.ts'
import { moveSwitch } from './switches.ts'
import type { Change, Tables } from './tables.ts'

const { count, freeShard, giveUpLeases, recallAgeFor, recall, renewLeases } = releasing

/** The statements, and what a dispatcher decides by itself between two of them. */
export const RULES = {
  accept,
  retry,
  releaseHeld,
  remove,
  reset,
  claim,
  settle,
  moveSwitch,
  renewLeases,
  giveUpLeases,
  freeShard,
  count,
  release: releasing.createRelease(releasing.RELEASE_PARTS),
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

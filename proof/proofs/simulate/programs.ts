/**
 * The program of an actor, written as it reads in the product: a program that hands over one command at a time. Between two
 * of them it may be crashed, and then it is forgotten, or frozen, and then it goes on later as if nothing had happened.
 */
import type { Answers, Kind, Questions } from './rules.ts'

export type ProgramCommand =
  | { readonly to: 'clock'; readonly ms: number }
  | { readonly to: 'postgres'; readonly kind: Kind; readonly run: (ask: ProgramRequest) => unknown }
  | { readonly to: 'broker'; readonly what: string; readonly run: () => unknown }

export type ProgramRequest = <Each extends Kind>(kind: Each, what: Questions[Each]) => Answers[Each]

/** The result of a command is known only to who sent it, so the typed senders below are the only way to send one. */
export type Program = Generator<ProgramCommand, void, unknown>
export type Sending<Result> = Generator<ProgramCommand, Result, unknown>

export function* pause(ms: number): Sending<void> {
  yield { to: 'clock', ms }
}

/** Undefined when the connection was lost: the statement may have been executed or not. */
export function* ask<Each extends Kind>(
  kind: Each,
  what: Questions[Each],
): Sending<Answers[Each] | undefined> {
  return (yield { to: 'postgres', kind, run: (execute) => execute(kind, what) }) as Answers[Each] | undefined
}

/** Undefined when the broker is away. */
export function* carry<Result>(what: string, run: () => Result): Sending<Result | undefined> {
  return (yield { to: 'broker', what, run }) as Result | undefined
}

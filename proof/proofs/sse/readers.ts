/**
 * Readers of event streams by the thousand, in a process of their own: a process may open only so many sockets, and
 * what the readers do must not be mistaken for what the service does.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'

export interface StreamPlace {
  readonly scopeId: string
  readonly tenantKey: string
}

/** The questions to the process, and what it answers; one question at a time. */
export interface ReaderOrder {
  readonly url: string
  /** Where they read: as many at the one as at the other. */
  readonly places: readonly StreamPlace[]
  readonly streams: number
}

export type StreamQuestion =
  | ({ readonly kind: 'open' } & ReaderOrder)
  /** Waits until each reader has seen so many events since the last time, and tells how late they came. */
  | { readonly kind: 'arrivals'; readonly each: number; readonly withinMs: number }

export interface Opened {
  /** Those that were answered 200 and are open. */
  readonly established: number
  /** Answers other than 200, and broken connections, in words. */
  readonly refusals: readonly string[]
  readonly seconds: number
}

export interface Arrivals {
  readonly events: number
  /** Readers that have not seen as many events as they should, or more. */
  readonly wrong: number
  /** From the time that the event carries to its arrival at each reader, in milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** Streams that were closed on us. */
  readonly lost: number
}

export interface Readers {
  open(order: ReaderOrder): Promise<Opened>
  arrivals(each: number, withinMs: number): Promise<Arrivals>
  close(): Promise<void>
}

export function startReaders(): Readers {
  const child = fork(new URL('./readers-process.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return {
    open: (order) => ask<Opened>(child, { kind: 'open', ...order }),
    arrivals: (each, withinMs) => ask<Arrivals>(child, { kind: 'arrivals', each, withinMs }),
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await gone
    },
  }
}

async function ask<Answer>(child: ChildProcess, question: StreamQuestion): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const leave = () => reject(new Error('The process of the readers ended.'))
  child.once('message', (answer) => resolve(answer as Answer)).once('exit', leave)
  child.send(question)
  return promise.finally(() => child.removeAllListeners('message').off('exit', leave))
}

/** Puts something into the service and expects that it is taken. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Send } from './processes.ts'
import type { Header, WireRequest } from './wire.ts'

export type Seed = <Result>(request: SeedRequest) => Promise<Result>

export interface SeedRequest extends Omit<WireRequest, 'headers' | 'body'> {
  readonly headers?: readonly Header[]
  readonly body?: unknown
  /** The key to show; that of an administrator where nothing is said. */
  readonly bearer?: string
}

/** A busy machine may have a process refuse for a moment, unread. */
const TRIES = 10
const OVERLOADED = 503

export function createSeed(send: Send, admin: string): Seed {
  return async <Result>({ method, path, headers = [], body, bearer = admin }: SeedRequest) => {
    const request = {
      method,
      path,
      headers: [['Authorization', `Bearer ${bearer}`] as const, ...headers],
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    let { status, body: text } = await send('key', 0, request)
    for (let tries = 1; status === OVERLOADED && tries < TRIES; tries += 1) {
      await delay(1_000)
      ;({ status, body: text } = await send('key', 0, request))
    }
    if (status >= 300)
      throw new Error(`The stage could not be set: ${method} ${path} answered ${status}: ${text}`)
    return JSON.parse(text) as Result
  }
}

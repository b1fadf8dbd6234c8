/** Puts something into the service and expects that it is taken. */
import type { Send } from './processes.ts'
import type { Header, WireRequest } from './wire.ts'

export type Seed = <Result>(request: SeedRequest) => Promise<Result>

export interface SeedRequest extends Omit<WireRequest, 'headers' | 'body'> {
  readonly headers?: readonly Header[]
  readonly body?: unknown
  /** The key to show; that of an administrator where nothing is said. */
  readonly bearer?: string
}

export function createSeed(send: Send, admin: string): Seed {
  return async <Result>({ method, path, headers = [], body, bearer = admin }: SeedRequest) => {
    const { status, body: text } = await send('key', 0, {
      method,
      path,
      headers: [['Authorization', `Bearer ${bearer}`], ...headers],
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (status >= 300)
      throw new Error(`The stage could not be set: ${method} ${path} answered ${status}: ${text}`)
    return JSON.parse(text) as Result
  }
}

/** The options of a client, and what a single call may say differently. */
import { ConcordError } from './errors.ts'

export interface ClientOptions {
  /** Where the service is, with the path before `/api` if there is one. */
  readonly baseUrl: string
  /** The key of the tenant: for everything below `/api`, and beside an admin key where a tenant's data is meant. */
  readonly tenantKey?: string | undefined
  /** The tenant of that key. Ingest asks for it. */
  readonly tenantId?: string | undefined
  /** For everything below `/admin`; an internals key does as well. */
  readonly adminKey?: string | undefined
  /** For everything below `/internals`. */
  readonly internalsKey?: string | undefined
  /** Sent with every request, for example what a gateway of yours wants to see. */
  readonly headers?: Readonly<Record<string, string>>
  /** Used in place of the global one. */
  readonly fetch?: typeof fetch
  readonly retry?: Partial<RetryPolicy>
  /** How long one attempt may take, in milliseconds. */
  readonly attemptTimeoutMs?: number
  /** How long a call may take with all its attempts, in milliseconds. */
  readonly timeoutMs?: number
  /** After how much silence a stream is taken for dead and opened anew, in milliseconds. The service says something every 15 s. */
  readonly streamSilenceMs?: number
}

export interface RetryPolicy {
  /** How often a call is tried in all; 1 means never again. */
  readonly attempts: number
  /** The longest pause before the second attempt; it doubles with each. Pauses are drawn by lot below that. */
  readonly baseMs: number
  /** No pause of ours is longer. One that the service asks for may be. */
  readonly maxMs: number
}

export interface RequestOptions {
  /** Ends the call; it then rejects with the reason of the signal. */
  readonly signal?: AbortSignal
  /** How long the call may take with all its attempts, in milliseconds. */
  readonly timeoutMs?: number
  /** How often it is tried in all. */
  readonly attempts?: number
  /** Further headers, for example `X-Request-Id` or `If-None-Match`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The options of a client with everything filled in. */
export interface Settings extends ClientOptions {
  readonly fetch: typeof fetch
  readonly retry: RetryPolicy
  readonly attemptTimeoutMs: number
  readonly timeoutMs: number
  readonly streamSilenceMs: number
}

const retry: RetryPolicy = { attempts: 5, baseMs: 250, maxMs: 10_000 }

/** A host and a port alone would be read as a scheme. A page may pass a path of its own server, so a path is an address too. */
const WITHOUT_SCHEME = /^[\w.-]+:\d/

/** `fetch` refuses it at each call, and its error quotes the address with the password. */
const WITH_CREDENTIALS = /^[a-z]+:\/\/[^/?#]*@/i

export function settingsOf(options: ClientOptions): Settings {
  if (WITHOUT_SCHEME.test(options.baseUrl))
    throw new ConcordError(
      `baseUrl is "${options.baseUrl}"; write http://${options.baseUrl} or https://${options.baseUrl}.`,
    )
  if (WITH_CREDENTIALS.test(options.baseUrl))
    throw new ConcordError('baseUrl has a user name or password in it; pass them in `headers` instead.')
  return {
    ...options,
    // Looked up at each call: some runtimes, and tests of yours, put another one there later.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    retry: { ...retry, ...options.retry },
    attemptTimeoutMs: options.attemptTimeoutMs ?? 15_000,
    timeoutMs: options.timeoutMs ?? 60_000,
    streamSilenceMs: options.streamSilenceMs ?? 45_000,
  }
}

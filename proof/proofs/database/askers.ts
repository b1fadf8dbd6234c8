/**
 * Those who read while the database comes and goes: every tier, with and without a credential. Whatever they ask must be
 * answered soon, with what they asked for or with 503.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Place } from '../../harness/places.ts'
import { createRawClient, NoAnswer } from '../../harness/http.ts'

export interface Exchange {
  readonly at: number
  readonly ms: number
  /** The status, or why there is none. */
  readonly what: string
  readonly path: string
}

export interface Askers {
  readonly exchanges: readonly Exchange[]
  stop(): Promise<void>
}

export interface AskersOptions {
  readonly urls: readonly string[]
  readonly places: readonly Place[]
  readonly keys: { readonly admin: string; readonly internals: string }
}

const PAUSE_MS = 100
const TIMEOUT_MS = 10_000

/** For every process and every question an asker of its own, so that one which has to wait delays no other. */
export function startAskers({ urls, places, keys }: AskersOptions): Askers {
  const exchanges: Exchange[] = []
  const stopping = new AbortController()
  const [place] = places
  if (!place) throw new Error('Somebody must own what is asked for.')
  const questions = questionsOf(place, keys)

  async function ask(url: string, { path, key }: Question): Promise<void> {
    const client = createRawClient(url)
    while (!stopping.signal.aborted) {
      const at = Date.now()
      const what = await client.send({ bytes: requestOf(url, path, key), timeoutMs: TIMEOUT_MS }).then(
        ({ status }) => String(status),
        (error: unknown) => (error instanceof NoAnswer ? error.silence : String(error)),
      )
      exchanges.push({ at, ms: Date.now() - at, what, path })
      await delay(PAUSE_MS)
    }
    client.close()
  }

  const asking = urls.flatMap((url) => questions.map((question) => ask(url, question)))
  return {
    exchanges,
    async stop() {
      stopping.abort()
      await Promise.all(asking)
    },
  }
}

interface Question {
  readonly path: string
  readonly key?: string
}

function questionsOf({ scopeId, tenantKey }: Place, { admin, internals }: AskersOptions['keys']): Question[] {
  return [
    { path: `/api/scopes/${scopeId}/documents?limit=10`, key: tenantKey },
    { path: `/api/scopes/${scopeId}/documents/no-such-document`, key: tenantKey },
    { path: '/api/scopes', key: tenantKey },
    { path: '/admin/tenants', key: admin },
    { path: '/internals/kernel/health', key: internals },
    { path: '/readyz' },
  ]
}

function requestOf(url: string, path: string, key?: string): Buffer {
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${authorization}\r\n`)
}

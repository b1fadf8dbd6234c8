/**
 * Those who read while the database comes and goes: every tier, with and without a credential. Whatever they ask must be
 * answered soon, with what they asked for or with 503.
 */
import type { Place } from '../../harness/places.ts'
import { createHttpClient, NoAnswer } from '../../harness/http.ts'
import type { HttpRequest } from '../../harness/http.ts'
import { repeat } from '../../harness/loop.ts'

export interface Exchange {
  readonly at: number
  readonly ms: number
  /** The status, or why there is none. */
  readonly what: string
  readonly path: string
}

export interface AskersOptions {
  readonly urls: readonly string[]
  readonly place: Place
  readonly keys: { readonly admin: string; readonly internals: string }
}

const PAUSE_MS = 100
const TIMEOUT_MS = 10_000

/** For every process and every question an asker of its own, so that one which has to wait delays no other. */
export function startAskers({ urls, place, keys }: AskersOptions) {
  const exchanges: Exchange[] = []
  const requests = requestsOf(place, keys)
  const askers = urls.flatMap((url) =>
    requests.map((request) => ({ client: createHttpClient(url), request })),
  )

  async function ask({ client, request }: (typeof askers)[number]): Promise<void> {
    const at = Date.now()
    const what = await client.send({ ...request, timeoutMs: TIMEOUT_MS }).then(
      ({ status }) => String(status),
      (error: unknown) => (error instanceof NoAnswer ? error.silence : String(error)),
    )
    exchanges.push({ at, ms: Date.now() - at, what, path: request.path })
  }

  const loops = askers.map((asker) => repeat(() => ask(asker), { pauseMs: PAUSE_MS }))
  return {
    exchanges: exchanges as readonly Exchange[],
    async stop(): Promise<void> {
      await Promise.all(loops.map((loop) => loop.stop()))
      for (const { client } of askers) client.close()
    },
  }
}

function requestsOf(
  { scopeId, tenantKey }: Place,
  { admin, internals }: AskersOptions['keys'],
): HttpRequest[] {
  return [
    { path: `/api/scopes/${scopeId}/documents?limit=10`, bearer: tenantKey },
    { path: `/api/scopes/${scopeId}/documents/no-such-document`, bearer: tenantKey },
    { path: '/api/scopes', bearer: tenantKey },
    { path: '/admin/tenants', bearer: admin },
    { path: '/internals/kernel/health', bearer: internals },
    { path: '/readyz' },
  ]
}

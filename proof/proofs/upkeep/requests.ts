/** Requests with idempotency keys, and what is answered when they are repeated within their retention and after it. */
import { createHttpClient } from '../../harness/http.ts'
import type { HttpClient, HttpResponse } from '../../harness/http.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import type { Place } from '../../harness/places.ts'

const AT_ONCE = 4

export type UpkeepRequests = ReturnType<typeof createRequests>

export function createRequests(url: string, place: Place) {
  const http = createHttpClient(url)
  const answers = new Map<string, string>()
  return {
    ...sendingTo(http, place),
    async sendKeyed(count: number): Promise<number> {
      const send = sendingTo(http, place).ingest
      let accepted = 0
      await inParallel(Array.from({ length: count }), AT_ONCE, async (_, at) => {
        const key = `key-${at}`
        const { status, text } = await send({ name: key, text: `Keyed text ${at}.`, idempotency_key: key })
        if (status !== 202) return
        accepted += 1
        answers.set(key, text)
      })
      return accepted
    },
    /** Requests whose repetition is not answered as they were, in words. */
    async findNotReplayed(count: number): Promise<string[]> {
      const send = sendingTo(http, place).ingest
      const found: string[] = []
      await inParallel([...answers.keys()].slice(0, count), AT_ONCE, async (key, at) => {
        const answer = await send({ name: key, text: `Keyed text ${at}.`, idempotency_key: key })
        if (answer.text !== answers.get(key) || !answer.headers.has('idempotency-replayed'))
          found.push(`${key}: ${answer.status} ${answer.text.slice(0, 200)}`)
      })
      return found
    },
    /** Keys with which another request is refused, in words. */
    async findNotFree(count: number): Promise<string[]> {
      const send = sendingTo(http, place).ingest
      const found: string[] = []
      await inParallel([...answers.keys()].slice(0, count), AT_ONCE, async (key) => {
        const { status, text } = await send({ name: key, text: 'Another text.', idempotency_key: key })
        if (status !== 202) found.push(`${key}: ${status} ${text.slice(0, 200)}`)
      })
      return found
    },
    close: () => http.close(),
  }
}

function sendingTo(http: HttpClient, { tenantId, scopeId, tenantKey }: Place) {
  return {
    ingest: (body: Readonly<Record<string, unknown>>): Promise<HttpResponse> =>
      http.send({
        path: '/api/ingest',
        bearer: tenantKey,
        tenantId,
        body: { scope_id: scopeId, ...body },
        timeoutMs: 30_000,
      }),
    read: (documentId: string): Promise<HttpResponse> =>
      http.send({
        path: `/api/scopes/${scopeId}/documents/${documentId}`,
        bearer: tenantKey,
        timeoutMs: 30_000,
      }),
    /** The begin of the stream of the scope, from its first entry on. */
    follow: (): Promise<HttpResponse> =>
      http.send({
        path: `/api/scopes/${scopeId}/events?after=0`,
        bearer: tenantKey,
        awaitsEvent: true,
        listenMs: 5_000,
        timeoutMs: 10_000,
      }),
  }
}

/** Clients that send one document after the other, each into its own scope, and count what is accepted. */
import { createHttpClient } from '../../harness/http.ts'
import { repeat } from '../../harness/loop.ts'
import type { Place } from '../../harness/places.ts'

const CLIENTS_EACH = 3
const PAUSE_MS = 10
const TIMEOUT_MS = 30_000

export type Senders = ReturnType<typeof startSenders>

export function startSenders(url: string, places: readonly Place[]) {
  const refused: string[] = []
  let accepted = 0
  const clients = places.flatMap((place) =>
    Array.from({ length: CLIENTS_EACH }, () => ({ place, http: createHttpClient(url) })),
  )
  const sending = repeat(
    async (_, worker) => {
      const client = clients[worker]
      if (!client) return
      const { place, http } = client
      const { status, text } = await http.send({
        path: '/api/ingest',
        bearer: place.tenantKey,
        tenantId: place.tenantId,
        body: { scope_id: place.scopeId, name: 'a document', text: `Document of client ${worker}.` },
        timeoutMs: TIMEOUT_MS,
      })
      if (status === 202) accepted += 1
      else refused.push(`${status} ${text.slice(0, 200)}`)
    },
    { workers: clients.length, pauseMs: PAUSE_MS },
  )
  return {
    /** Answers that were no acceptance, in words. */
    refused: refused as readonly string[],
    accepted: () => accepted,
    async countDuring(work: () => Promise<unknown>): Promise<number> {
      const before = accepted
      await work()
      return accepted - before
    },
    async stop(): Promise<void> {
      await sending.stop()
      for (const { http } of clients) http.close()
    },
  }
}

/**
 * Another tenant that sends small texts all the while, each as soon as the one before is accepted. It sends at full speed because then every
 * delay of an answer lowers its rate; at a bounded rate a delay would not show before the service was far too slow.
 */
import { createHttpClient } from '../../harness/http.ts'
import { repeat } from '../../harness/loop.ts'
import type { Place } from '../../harness/places.ts'

const SENDERS = 2

export interface Pace {
  readonly accepted: number
  readonly ms: number
}

export function startNeighbour(url: string, place: Place) {
  const client = createHttpClient(url)
  let [accepted, sent] = [0, 0]
  const refusals: string[] = []
  const sending = repeat(
    async () => {
      const number = (sent += 1)
      const { status, text } = await client.send({
        path: '/api/ingest',
        bearer: place.tenantKey,
        tenantId: place.tenantId,
        body: {
          scope_id: place.scopeId,
          name: 'note',
          document_id: `note-${number}`,
          text: `The rent of office ${number % 50} in 2025 was EUR ${number % 7} m.`,
        },
        timeoutMs: 30_000,
      })
      if (status === 202) accepted += 1
      else refusals.push(`${status} ${text.slice(0, 200)}`)
    },
    { workers: SENDERS },
  )
  return {
    /** Texts that are accepted while this goes on, and how long that takes. */
    async during(work: () => Promise<unknown>): Promise<Pace> {
      const [before, started] = [accepted, performance.now()]
      await work()
      return { accepted: accepted - before, ms: performance.now() - started }
    },
    refusals: refusals as readonly string[],
    async stop(): Promise<void> {
      await sending.stop()
      client.close()
    },
  }
}

/** Texts a second over all of these together. */
export function rateOf(paces: readonly Pace[]): number {
  const total = (of: keyof Pace) => paces.reduce((sum, pace) => sum + pace[of], 0)
  return (1000 * total('accepted')) / total('ms')
}

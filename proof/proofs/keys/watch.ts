/** Uses a key over and over on a process, and notes each time whether it was let in. */
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpClient } from '../../harness/http.ts'
import { sum } from '../../harness/statistics.ts'

export interface Sighting {
  readonly sentAt: number
  readonly answeredAt: number
  readonly accepted: boolean
}

export interface KeyWatch {
  readonly sightings: readonly Sighting[]
  stop(): Promise<void>
}

/** A key as several processes saw it, and when it ended. */
export interface Life {
  readonly watches: readonly KeyWatch[]
  readonly endsAt: number
}

/** Fine enough for a promise of one second, and slow enough to leave the machine to the service. */
const EVERY_MS = 15
/** Every end is watched for longer than the promised second. */
const WATCH_AFTER_MS = 1_400

export function watchKey(client: HttpClient, bearer: string, path = '/api/scopes?limit=1'): KeyWatch {
  const sightings: Sighting[] = []
  const stopped = new AbortController()
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const next = performance.now() + EVERY_MS
      const { status, sentAt, text } = await client.send({ path, bearer })
      if (status !== 200 && status !== 401) throw new Error(`${path} answered ${status}: ${text}`)
      sightings.push({ sentAt, answeredAt: Date.now(), accepted: status === 200 })
      await delay(Math.max(1, next - performance.now()))
    }
  })()
  // Awaited in stop; until then a failure must not count as unhandled.
  watching.catch(() => undefined)
  return {
    sightings,
    async stop() {
      stopped.abort()
      await watching
    },
  }
}

/** Goes on for a while after the end. */
export async function watchUntil(watches: readonly KeyWatch[], endsAt: number): Promise<Life> {
  await delay(endsAt - Date.now() + WATCH_AFTER_MS)
  await Promise.all(watches.map((watch) => watch.stop()))
  return { watches, endsAt }
}

/** Over all lives and processes. */
export function total(lives: readonly Life[], count: (watch: KeyWatch, endsAt: number) => number): number {
  return sum(lives.flatMap(({ watches, endsAt }) => watches.map((watch) => count(watch, endsAt))))
}

/** By when the request left: one that left in time may be answered later. */
export function acceptedAfter({ sightings }: KeyWatch, instant: number): number {
  return sightings.filter(({ sentAt, accepted }) => accepted && sentAt > instant).length
}

export function acceptedBefore({ sightings }: KeyWatch, instant: number): number {
  return sightings.filter(({ sentAt, accepted }) => accepted && sentAt < instant).length
}

/** By when the response arrived: a request that left in time may be read too late. */
export function refusedBefore({ sightings }: KeyWatch, instant: number): number {
  return sightings.filter(({ answeredAt, accepted }) => !accepted && answeredAt < instant).length
}

/** Milliseconds from the instant to the first request that was refused; infinite when none was. */
export function refusedFrom({ sightings }: KeyWatch, instant: number): number {
  const first = sightings.find(({ accepted }) => !accepted)
  return first ? Math.max(0, first.sentAt - instant) : Number.POSITIVE_INFINITY
}

/** A refusal must be the end of it. */
export function acceptedAgain({ sightings }: KeyWatch): number {
  const first = sightings.findIndex(({ accepted }) => !accepted)
  return first === -1 ? 0 : sightings.slice(first).filter(({ accepted }) => accepted).length
}

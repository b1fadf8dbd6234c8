/** Uses a key over and over on a process, and notes each time whether it was let in. */
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpClient } from '../../harness/http.ts'

export interface Sighting {
  readonly sentAt: number
  readonly answeredAt: number
  readonly accepted: boolean
}

export interface Watch {
  readonly caller: HttpClient
  readonly sightings: readonly Sighting[]
  stop(): Promise<void>
}

/** Fine enough for a promise of one second, and slow enough to leave the machine to the service. */
const EVERY_MS = 15

export function watchKey(caller: HttpClient, key: string, path = '/api/scopes?limit=1'): Watch {
  const sightings: Sighting[] = []
  const stopped = new AbortController()
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const next = performance.now() + EVERY_MS
      const { status, sentAt, text } = await caller.send({ path, bearer: key })
      if (status !== 200 && status !== 401) throw new Error(`${path} answered ${status}: ${text}`)
      sightings.push({ sentAt, answeredAt: Date.now(), accepted: status === 200 })
      await delay(Math.max(1, next - performance.now()))
    }
  })()
  // Awaited in stop; until then a failure must not count as unhandled.
  watching.catch(() => undefined)
  return {
    caller,
    sightings,
    async stop() {
      stopped.abort()
      await watching
    },
  }
}

/** By when the question left: one that left in time may be answered later. */
export function acceptedAfter({ sightings }: Watch, instant: number): number {
  return sightings.filter(({ sentAt, accepted }) => accepted && sentAt > instant).length
}

export function acceptedBefore({ sightings }: Watch, instant: number): number {
  return sightings.filter(({ sentAt, accepted }) => accepted && sentAt < instant).length
}

/** By when the answer arrived: a question that left in time may be read too late. */
export function refusedBefore({ sightings }: Watch, instant: number): number {
  return sightings.filter(({ answeredAt, accepted }) => !accepted && answeredAt < instant).length
}

/** Milliseconds from the instant to the first question that was refused; infinite when none was. */
export function refusedFrom({ sightings }: Watch, instant: number): number {
  const first = sightings.find(({ accepted }) => !accepted)
  return first ? Math.max(0, first.sentAt - instant) : Number.POSITIVE_INFINITY
}

/** A refusal must be the end of it. */
export function acceptedAgain({ sightings }: Watch): number {
  const first = sightings.findIndex(({ accepted }) => !accepted)
  return first === -1 ? 0 : sightings.slice(first).filter(({ accepted }) => accepted).length
}

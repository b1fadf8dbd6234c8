/** Two kinds of tenants: quiet ones that send a document now and then, and a loud one that sends all it has. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Call, History } from '../../harness/history.ts'
import type { Place } from '../../harness/places.ts'
import type { Sender } from '../../harness/sender.ts'

export interface Clients {
  readonly history: History
  readonly sender: Sender
}

export interface QuietTenants {
  readonly sent: readonly QuietDocument[]
  /** No new documents; resolves when each that was begun is accepted. */
  stop(): Promise<void>
}

export interface QuietDocument {
  readonly call: Call
  /** From sending to the answer. */
  readonly answerMs: number
}

export interface QuietOptions extends Clients {
  readonly places: readonly Place[]
  /** Of each of them. */
  readonly everyMs: number
}

/** By the clock, whatever became of the one before: whoever waits for an answer would send less when it is late. */
export function startQuietTenants({ history, sender, places, everyMs }: QuietOptions): QuietTenants {
  const sent: QuietDocument[] = []
  const stopping = new AbortController()
  const patience = new AbortController().signal

  async function send(place: Place): Promise<void> {
    const call = history.open(place)
    const started = performance.now()
    await sender.deliver([call], patience)
    sent.push({ call, answerMs: performance.now() - started })
  }

  async function tenant(place: Place, offsetMs: number): Promise<void> {
    const underWay: Promise<void>[] = []
    const started = performance.now() + offsetMs
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const wait = started + turn * everyMs - performance.now()
      await delay(Math.max(0, wait), undefined, { signal: stopping.signal }).catch(() => undefined)
      if (!stopping.signal.aborted) underWay.push(send(place))
    }
    await Promise.all(underWay)
  }

  const tenants = places.map((place, at) => tenant(place, (at * everyMs) / places.length))
  return {
    sent,
    async stop() {
      stopping.abort()
      await Promise.all(tenants)
    },
  }
}

export interface LoudTenant {
  /** Resolves when the whole heap is accepted. */
  readonly queued: Promise<void>
  stop(): Promise<void>
}

export interface LoudOptions extends Clients {
  readonly places: readonly Place[]
  readonly documents: number
  /** Batches a second, once the heap is there. */
  readonly batchesPerSecond: number
  readonly batch: number
  /** Whether so much of the heap is gone that it heaps up again: on a fast machine it would not be loud for long. */
  readonly isLow: () => boolean
}

const BATCHERS = 1
const HEAP_BATCH = 40

/** The whole heap as fast as it is accepted, and then at a rate of its own, without end. */
export function startLoudTenant(options: LoudOptions): LoudTenant {
  const { history, sender, places, documents } = options
  const stopping = new AbortController()
  let begun = 0

  async function send(size: number): Promise<void> {
    const place = places[Math.floor(begun / HEAP_BATCH) % places.length]
    if (!place) throw new Error('The loud tenant needs a place.')
    begun += size
    await sender.deliver(
      Array.from({ length: size }, () => history.open(place)),
      stopping.signal,
    )
  }

  async function heapUp(): Promise<void> {
    while (begun < documents && !stopping.signal.aborted) await send(HEAP_BATCH)
  }

  async function keepSending(): Promise<void> {
    while (!stopping.signal.aborted) {
      await send(options.isLow() ? HEAP_BATCH : options.batch)
      if (!options.isLow())
        await delay(1000 / options.batchesPerSecond, undefined, { signal: stopping.signal }).catch(
          () => undefined,
        )
    }
  }

  const queued = Promise.all(Array.from({ length: BATCHERS }, heapUp)).then(() => undefined)
  const sending = queued.then(keepSending)
  return {
    queued,
    async stop() {
      stopping.abort()
      await sending
    },
  }
}

/** Two kinds of tenants: quiet ones that send a document now and then, and a loud one that sends all it has. */
import type { RecordedCall } from '../../harness/history.ts'
import { pause, repeat } from '../../harness/loop.ts'
import type { Place } from '../../harness/places.ts'
import type { FaultStage } from '../../harness/stage.ts'

type Clients = Pick<FaultStage, 'history' | 'sender'>

export interface QuietDocument {
  readonly call: RecordedCall
  /** From sending to the answer. */
  readonly answerMs: number
}

export interface QuietOptions extends Clients {
  readonly places: readonly Place[]
  /** The interval of each of them. */
  readonly everyMs: number
}

/** By the clock, whatever became of the one before: whoever waits for an answer would send less when it is late. */
export function startQuietTenants({ history, sender, places, everyMs }: QuietOptions) {
  const sent: QuietDocument[] = []
  const stopping = new AbortController()

  async function send(place: Place): Promise<void> {
    const call = history.open(place)
    const started = performance.now()
    await sender.deliver([call])
    sent.push({ call, answerMs: performance.now() - started })
  }

  async function tenant(place: Place, offsetMs: number): Promise<void> {
    const underWay: Promise<void>[] = []
    const started = performance.now() + offsetMs
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      await pause(started + turn * everyMs - performance.now(), stopping.signal)
      if (!stopping.signal.aborted) underWay.push(send(place))
    }
    await Promise.all(underWay)
  }

  const tenants = places.map((place, at) => tenant(place, (at * everyMs) / places.length))
  return {
    sent: sent as readonly QuietDocument[],
    /** No new documents; resolves when each that was begun is accepted. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(tenants)
    },
  }
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

const HEAP_BATCH = 40

/** The whole heap as fast as it is accepted, and then at a rate of its own, without end. */
export function startLoudTenant(options: LoudOptions) {
  const { history, sender, places, documents, batchesPerSecond, isLow } = options
  const { promise: queued, resolve } = Promise.withResolvers<void>()
  let begun = 0

  const { stop } = repeat(async (signal) => {
    const isHeaping = begun < documents || isLow()
    const size = isHeaping ? HEAP_BATCH : options.batch
    const place = places[Math.floor(begun / HEAP_BATCH) % places.length]
    if (!place) throw new Error('The loud tenant needs a place.')
    begun += size
    await sender.deliver(
      Array.from({ length: size }, () => history.open(place)),
      signal,
    )
    if (begun >= documents) resolve()
    if (!isHeaping) await pause(1000 / batchesPerSecond, signal)
  })
  return {
    /** Resolves when the whole heap is accepted. */
    queued,
    stop,
  }
}

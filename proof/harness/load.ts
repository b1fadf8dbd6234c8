/** Documents at a steady rate into all places, held back while too much waits: a load that can be carried for long. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Call, History } from './history.ts'
import type { Place } from './places.ts'
import type { Sender } from './sender.ts'

export interface LoadOptions {
  readonly history: History
  readonly sender: Sender
  readonly places: readonly Place[]
  readonly random: () => number
  /** Documents a second, at the most. */
  readonly rate: number
  /** Clients that send one document at a time, and clients that send batches. */
  readonly clients: number
  readonly batchers: number
  /** Whether the service has as much waiting as it should. */
  readonly isFull: () => boolean
}

export interface Load {
  /** No new documents; resolves when each that was begun is accepted, or after the patience. */
  finish(patienceMs: number): Promise<void>
}

/** One in so many accepted documents is sent again, and must get the same answer. */
const REPEAT_ONE_IN = 50
const BATCH = 40

export function startLoad(options: LoadOptions): Load {
  const { history, sender, places, random } = options
  const stopping = new AbortController()
  const patience = new AbortController()
  const turn = createPace(options.rate)

  async function client(size: number): Promise<void> {
    while (!stopping.signal.aborted) {
      if (options.isFull()) {
        await delay(20)
        continue
      }
      await turn(size)
      const place = places[Math.floor(random() * places.length)]
      if (!place || stopping.signal.aborted) return
      await send(Array.from({ length: size }, () => history.open(place)))
    }
  }

  async function send(calls: readonly Call[]): Promise<void> {
    await sender.deliver(calls, patience.signal)
    // Where the first try stayed open, the repetition is the point; elsewhere a sample will do.
    const again = calls.filter(({ number, tries, answer }) => {
      return answer !== undefined && (tries.length > 1 || number % REPEAT_ONE_IN === 0)
    })
    for (const call of again) await sender.repeat(call)
  }

  const clients = [
    ...Array.from({ length: options.clients }, () => client(1)),
    ...Array.from({ length: options.batchers }, () => client(BATCH)),
  ]
  return {
    async finish(patienceMs) {
      stopping.abort()
      const timer = setTimeout(() => patience.abort(), patienceMs)
      await Promise.all(clients)
      clearTimeout(timer)
    },
  }
}

/** Hands out turns at the rate; one that was not taken in time is lost, so that a pause is not made up for by a flood. */
function createPace(rate: number): (documents: number) => Promise<void> {
  const step = 1000 / rate
  let next = performance.now()
  return async (documents) => {
    const now = performance.now()
    next = Math.max(next + documents * step, now - 100)
    if (next > now) await delay(next - now)
  }
}

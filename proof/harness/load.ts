/** Documents at a steady rate into all places, held back while too much waits: a load that can be carried for long. */
import { setTimeout as delay } from 'node:timers/promises'
import type { RecordedCall } from './history.ts'
import { pause, repeat } from './loop.ts'
import type { Place } from './places.ts'
import type { FaultStage } from './stage.ts'
import { pick } from './statistics.ts'

export interface LoadOptions extends Pick<FaultStage, 'history' | 'sender' | 'random'> {
  readonly places: readonly Place[]
  /** Documents a second, at the most. */
  readonly rate: number
  /** Clients that send one document at a time, and clients that send batches. */
  readonly clients: number
  readonly batchers: number
  /** Whether the service has as much waiting as it should. */
  readonly isFull: () => boolean
}

/** One in so many accepted documents is sent again, and must get the same answer. */
const REPEAT_ONE_IN = 50
const BATCH = 40

export function startLoad(options: LoadOptions) {
  const { history, sender, places, random } = options
  const givenUp = new AbortController()
  const turn = createPace(options.rate)

  async function client(size: number, signal: AbortSignal): Promise<void> {
    if (options.isFull()) return delay(20)
    await turn(size, signal)
    const place = pick(places, random)
    if (place && !signal.aborted) await send(Array.from({ length: size }, () => history.open(place)))
  }

  async function send(calls: readonly RecordedCall[]): Promise<void> {
    await sender.deliver(calls, givenUp.signal)
    // Where the first try stayed open, the repetition is the point; elsewhere a sample will do.
    const again = calls.filter(({ number, tries, answer }) => {
      return answer !== undefined && (tries.length > 1 || number % REPEAT_ONE_IN === 0)
    })
    for (const call of again) await sender.repeat(call)
  }

  const workers = options.clients + options.batchers
  const clients = repeat((signal, worker) => client(worker < options.clients ? 1 : BATCH, signal), {
    workers,
  })
  return {
    /** No new documents; resolves when each that was begun is accepted, or after the time. */
    async finish(withinMs: number): Promise<void> {
      const timeout = setTimeout(() => givenUp.abort(), withinMs)
      await clients.stop()
      clearTimeout(timeout)
    },
  }
}

/** Hands out turns at the rate; one that was not taken in time is lost, so that a pause is not made up for by a flood. */
function createPace(rate: number): (documents: number, signal: AbortSignal) => Promise<void> {
  const step = 1000 / rate
  let next = performance.now()
  return async (documents, signal) => {
    const now = performance.now()
    next = Math.max(next + documents * step, now - 100)
    // Where many clients share a low rate, the last of them would wait for its turn long after the load has ended.
    if (next > now) await pause(next - now, signal)
  }
}

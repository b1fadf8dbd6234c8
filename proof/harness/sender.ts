/** Sends documents as a careful client does: whatever stays open is tried again under the same idempotency key. */
import { setTimeout as delay } from 'node:timers/promises'
import { createRawClient, NoAnswer } from './http.ts'
import type { RawClient } from './http.ts'
import type { Call, History } from './history.ts'
import { readOutcomes, requestOf } from './ingest-wire.ts'

export interface Sender {
  /** One by itself, several as a batch; tried until each is accepted or refused for good, or the signal comes. */
  deliver(calls: readonly Call[], signal: AbortSignal): Promise<void>
  /** One more time, for the answer alone. */
  repeat(call: Call): Promise<void>
  /** Requests on their way, to this API or to all. */
  underWay(url?: string): number
  close(): void
}

export interface SenderOptions {
  readonly history: History
  readonly urls: () => readonly string[]
  readonly random: () => number
}

const TIMEOUT_MS = 8_000
const PAUSE_MS = 50

export function createSender({ history, urls, random }: SenderOptions): Sender {
  const clients = new Map<string, RawClient>()
  const underWay = new Map<string, number>()

  function clientOf(url: string): RawClient {
    const client = clients.get(url) ?? createRawClient(url)
    clients.set(url, client)
    return client
  }

  /** Returns those that are still open. */
  async function tryOnce(calls: readonly Call[]): Promise<readonly Call[]> {
    const known = urls()
    const url = known[Math.floor(random() * known.length)]
    if (url === undefined) return calls
    const count = (step: number) => underWay.set(url, (underWay.get(url) ?? 0) + step)
    const at = Date.now()
    count(1)
    try {
      const answer = await clientOf(url).send({ bytes: requestOf(url, calls), timeoutMs: TIMEOUT_MS })
      const ms = Date.now() - at
      const outcomes = readOutcomes(answer, calls.length)
      return calls.filter((call, index) => {
        const { outcome = 'unknown', what = 'no result', accepted } = outcomes[index] ?? {}
        history.record(call, { at, ms, outcome, what }, accepted)
        return outcome === 'unknown'
      })
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      // Nobody listened: that one cannot have had an effect.
      const outcome = error.silence === 'refused' ? 'fail' : 'unknown'
      const ms = Date.now() - at
      for (const call of calls) history.record(call, { at, ms, outcome, what: error.silence })
      return calls
    } finally {
      count(-1)
    }
  }

  return {
    async deliver(calls, signal) {
      for (let open = calls; open.length > 0 && !signal.aborted;) {
        open = await tryOnce(open)
        if (open.length > 0) await delay(PAUSE_MS + PAUSE_MS * random())
      }
    },
    repeat: async (call) => void (await tryOnce([call])),
    underWay: (url) =>
      url === undefined ? [...underWay.values()].reduce((a, b) => a + b, 0) : (underWay.get(url) ?? 0),
    close() {
      for (const client of clients.values()) client.close()
    },
  }
}

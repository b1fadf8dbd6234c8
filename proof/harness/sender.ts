/** Sends documents as a careful client does: whatever stays open is tried again under the same idempotency key. */
import { setTimeout as delay } from 'node:timers/promises'
import { createConnections } from './connections.ts'
import type { ConnectionsOptions } from './connections.ts'
import type { RecordedCall, History } from './history.ts'
import { NoAnswer } from './http.ts'
import type { Answer } from './http.ts'
import { readOutcomes, requestOf } from './ingest-wire.ts'

export interface SenderOptions extends ConnectionsOptions {
  readonly history: History
  readonly timeoutMs?: number
  /** Sees every response, whatever it says. */
  readonly onAnswer?: (answer: Answer) => void
}

export type Sender = ReturnType<typeof createSender>

const TIMEOUT_MS = 8_000
const PAUSE_MS = 50

export function createSender({ history, timeoutMs = TIMEOUT_MS, onAnswer, ...options }: SenderOptions) {
  const connections = createConnections(options)

  /** Returns those that are still open. */
  async function tryOnce(calls: readonly RecordedCall[]): Promise<readonly RecordedCall[]> {
    if (!connections.isServed()) return calls
    const at = Date.now()
    try {
      const answer = await connections.send((url) => requestOf(url, calls), timeoutMs)
      onAnswer?.(answer)
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
    }
  }

  return {
    /** One by itself, several as a batch; tried until each is accepted or refused for good, or the signal comes. */
    async deliver(calls: readonly RecordedCall[], signal?: AbortSignal): Promise<void> {
      let open = calls
      while (open.length > 0 && !isOver(signal)) {
        open = await tryOnce(open)
        if (open.length > 0) await delay(PAUSE_MS + PAUSE_MS * options.random())
      }
    },
    /** One more time, for the answer alone. */
    repeat: async (call: RecordedCall) => void (await tryOnce([call])),
    underWay: connections.underWay,
    close: connections.close,
  }
}

function isOver(signal?: AbortSignal): boolean {
  return signal?.aborted === true
}

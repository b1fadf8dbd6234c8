/** Clients that look at every answer closely: what it says, and how long to wait it says. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Fleet } from '../../harness/fleet.ts'
import type { History } from '../../harness/history.ts'
import { readOutcomes, requestOf } from '../../harness/ingest-wire.ts'
import { repeat } from '../../harness/loop.ts'
import type { Place } from '../../harness/places.ts'
import { createRawClient, NoAnswer } from '../../harness/http.ts'
import type { Answer } from '../../harness/http.ts'

export type Asker = ReturnType<typeof startAsking>

interface AskingOptions {
  readonly fleet: Pick<Fleet, 'urls'>
  readonly history: History
  readonly places: readonly Place[]
}

const EVERY_MS = 100
const TIMEOUT_MS = 15_000

export function startAsking({ fleet, history, places }: AskingOptions) {
  const wrong: string[] = []
  const patience = new AbortController()
  let turn = 0

  /** One document until it is accepted, then the next. */
  async function ask(): Promise<void> {
    const place = places[(turn += 1) % places.length]
    if (!place) return
    const call = history.open(place)
    while (call.answer === undefined && !patience.signal.aborted) {
      const url = fleet.urls()[turn % 2] ?? fleet.urls()[0]
      if (url !== undefined) await tryOnce(url, call)
      await delay(EVERY_MS)
    }
  }

  async function tryOnce(url: string, call: ReturnType<History['open']>): Promise<void> {
    const client = createRawClient(url)
    const at = Date.now()
    try {
      const answer = await client.send({ bytes: requestOf(url, [call]), timeoutMs: TIMEOUT_MS })
      const [result] = readOutcomes(answer, 1)
      if (!result) throw new Error('an answer without an outcome')
      const { outcome, what, accepted } = result
      history.record(call, { at, ms: Date.now() - at, outcome, what }, accepted)
      if (answer.status < 400) return
      const fault = faultOf(answer)
      if (fault) wrong.push(fault)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      history.record(call, { at, ms: Date.now() - at, outcome: 'unknown', what: error.silence })
    } finally {
      client.close()
    }
  }

  const asking = repeat(ask)
  return {
    /** Refusals that are not what the contract says of them, in words. */
    wrong: wrong as readonly string[],
    /** Resolves when the last document was accepted, or after the time. */
    async finish(withinMs: number): Promise<void> {
      const timer = setTimeout(() => patience.abort(), withinMs)
      await asking.stop()
      clearTimeout(timer)
    },
  }
}

/** A refusal has a code of the table and says when to try again; anything else is a fault, in words. */
function faultOf({ status, headers, body }: Answer): string | undefined {
  const text = body.toString('utf8')
  const told = `${status} ${text.slice(0, 200)}`
  if (status !== 503 || !/"code":"(?:unavailable|overloaded|queue_full)"/.test(text)) return told
  return /^\d+$/.test(headers.get('retry-after') ?? '') ? undefined : `${told} without Retry-After`
}

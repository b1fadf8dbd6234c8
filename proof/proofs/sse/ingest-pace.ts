/** How long an ingest takes to be answered, with requests sent by the clock, whoever else is connected. */
import { setTimeout as delay } from 'node:timers/promises'
import type { History } from '../../harness/history.ts'
import type { Place } from '../../harness/places.ts'
import type { Sender } from '../../harness/sender.ts'

export interface PaceOptions {
  readonly history: History
  readonly sender: Sender
  readonly places: readonly Place[]
  readonly perSecond: number
  readonly forMs: number
}

/** Milliseconds of each answer. */
export async function paceIngest(options: PaceOptions): Promise<number[]> {
  const { history, sender, places, perSecond, forMs } = options
  const patience = new AbortController().signal
  const count = Math.round((forMs * perSecond) / 1000)
  const started = performance.now()
  const answers = Array.from({ length: count }, async (_, turn) => {
    await delay(Math.max(0, started + (turn * 1000) / perSecond - performance.now()))
    const place = places[turn % places.length]
    if (!place) throw new Error('There is no place to send to.')
    const sent = performance.now()
    await sender.deliver([history.open(place)], patience)
    return performance.now() - sent
  })
  return Promise.all(answers)
}

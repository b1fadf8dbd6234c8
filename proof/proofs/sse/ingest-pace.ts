/** How long an ingest takes to be answered, with requests sent by the clock, whoever else is connected. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FaultStage } from '../../harness/stage.ts'

export interface PaceOptions extends Pick<FaultStage, 'history' | 'sender' | 'places'> {
  readonly perSecond: number
  readonly forMs: number
}

/** Milliseconds of each answer. */
export async function paceIngest(options: PaceOptions): Promise<number[]> {
  const { history, sender, places, perSecond, forMs } = options
  const count = Math.round((forMs * perSecond) / 1000)
  const started = performance.now()
  const answers = Array.from({ length: count }, async (_, turn) => {
    await delay(Math.max(0, started + (turn * 1000) / perSecond - performance.now()))
    const sent = performance.now()
    await sender.deliver([history.open(places[turn % places.length] ?? places[0])])
    return performance.now() - sent
  })
  return Promise.all(answers)
}

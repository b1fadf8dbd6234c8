/** Waiting until every document is at its end, or until it is clear that some never will be. */
import { setTimeout as delay } from 'node:timers/promises'
import { selectSight } from './watch.ts'
import type { FaultStage } from './stage.ts'

export interface Settled {
  /** Documents that were not at their end when the patience was over. */
  readonly left: number
  readonly seconds: number
}

const LOOK_MS = 250

export async function untilSettled({ servers, fleet }: FaultStage, patienceMs: number): Promise<Settled> {
  const started = performance.now()
  const since = () => performance.now() - started
  for (;;) {
    const { queued, ready, processing } = await selectSight(servers.services, fleet.deployment.databaseName)
    const left = queued + ready + processing
    if (left === 0 || since() > patienceMs) return { left, seconds: since() / 1000 }
    await delay(LOOK_MS)
  }
}

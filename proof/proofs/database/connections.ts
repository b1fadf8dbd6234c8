/** The connections that the fleet has to its database, as Postgres counts them. */
import { setTimeout as delay } from 'node:timers/promises'
import { send } from '../../harness/http.ts'
import { poll } from '../../harness/loop.ts'
import type { FaultStage } from '../../harness/stage.ts'

const LOOKS = 10
const LOOK_MS = 200
const AT_ONCE = 32

async function countFleet({ fleet }: FaultStage): Promise<number> {
  return fleet.count(
    `select count(*) from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and usename <> current_user`,
  )
}

/** The most that were open at any look, while nobody asks for anything. */
export async function countQuiet(stage: FaultStage): Promise<number> {
  return highestOf(stage, async () => undefined)
}

/** The same while so much is asked at once that every pool of the APIs is full. */
export async function countBusy(stage: FaultStage): Promise<number> {
  return highestOf(stage, () => askAtOnce(stage))
}

async function highestOf(stage: FaultStage, prepare: () => Promise<void>): Promise<number> {
  let highest = 0
  for (let look = 0; look < LOOKS; look += 1) {
    await prepare()
    highest = Math.max(highest, await countFleet(stage))
    await delay(LOOK_MS)
  }
  return highest
}

async function askAtOnce({ fleet, places: [{ scopeId, tenantKey }] }: FaultStage): Promise<void> {
  const request = { path: `/api/scopes/${scopeId}/documents`, bearer: tenantKey }
  await Promise.all(fleet.urls().flatMap((url) => Array.from({ length: AT_ONCE }, () => send(url, request))))
}

/** Waits until there are no more than before; what leaked stays. */
export async function untilBackTo(stage: FaultStage, baseline: number, withinMs: number): Promise<number> {
  return poll(() => countFleet(stage), { until: (open) => open <= baseline, withinMs, everyMs: 250 })
}

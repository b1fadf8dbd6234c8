/** The connections that the fleet has to its database, as Postgres counts them. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FaultStage } from '../../harness/stage.ts'
import { askDatabase } from '../../harness/watch.ts'

const LOOKS = 10
const LOOK_MS = 200
const AT_ONCE = 32

async function countFleet({ servers: { services }, fleet }: FaultStage): Promise<number> {
  const [row] = await askDatabase<{ open: number }>(
    services,
    fleet.deployment.databaseName,
    `select count(*)::int as open from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and usename <> $1`,
    [services.postgres.superuser.user],
  )
  return row?.open ?? 0
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

async function askAtOnce({ fleet, places }: FaultStage): Promise<void> {
  const [place] = places
  const headers = { authorization: `Bearer ${place?.tenantKey ?? ''}` }
  const paths = fleet.urls().map((url) => `${url}/api/scopes/${place?.scopeId ?? ''}/documents`)
  const asking = paths.flatMap((path) => Array.from({ length: AT_ONCE }, () => fetch(path, { headers })))
  for (const answer of await Promise.all(asking)) await answer.body?.cancel()
}

/** Waits until there are no more than before; what leaked stays. */
export async function untilBackTo(stage: FaultStage, baseline: number, patienceMs: number): Promise<number> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const open = await countFleet(stage)
    if (open <= baseline || performance.now() > deadline) return open
    await delay(250)
  }
}

/** Arms one crash point after the other, for each role on its own, and waits until somebody has died of it. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '@concord/tools/launch'
import type { Fleet } from '../../harness/fleet.ts'
import type { Role } from '../../harness/member.ts'
import { happens } from '../../harness/loop.ts'
import { shuffle } from '../../harness/statistics.ts'
import { isRecall, markerOf } from './points.ts'
import type { CrashPoint } from './points.ts'

export interface CrashDeps {
  readonly fleet: Fleet
  readonly folder: string
  readonly points: readonly CrashPoint[]
  readonly rounds: number
  readonly random: () => number
  /** How long somebody may take to come by. */
  readonly patienceMs: number
}

export interface Crash {
  readonly point: CrashPoint
  readonly at: number
}

const TRIES = 3
const ROLES: readonly Role[] = ['api', 'dispatcher', 'worker']

/** Roles die independently of each other, so that crashes of several meet. */
export async function runCrashes(deps: CrashDeps): Promise<Crash[]> {
  const crashes = await Promise.all(ROLES.map((role) => crashRole(role, deps)))
  return crashes.flat().toSorted((a, b) => a.at - b.at)
}

async function crashRole(role: Role, deps: CrashDeps): Promise<Crash[]> {
  const crashes: Crash[] = []
  for (let round = 0; round < deps.rounds; round += 1) {
    const points = deps.points.filter((each) => each.role === role)
    for (const point of shuffle(points, deps.random)) {
      if (await crashSoon(point, deps)) crashes.push({ point, at: Date.now() })
    }
  }
  return crashes
}

/** Nobody may have come by while others were dying. */
async function crashSoon(point: CrashPoint, deps: CrashDeps): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries += 1) if (await crashOnce(point, deps)) return true
  return false
}

async function crashOnce(point: CrashPoint, deps: CrashDeps): Promise<boolean> {
  const { fleet, folder, patienceMs } = deps
  await untilSomebody(point.role, fleet)
  if (point.role === 'dispatcher') await endLeases(deps)
  const marker = join(folder, markerOf(point))
  writeFileSync(marker, '')
  const hasHappened = async () => {
    if (!existsSync(marker)) return true
    // Again and again: just now there may be nothing that could be lost.
    if (isRecall(point)) await loseNotes(deps)
    return false
  }
  await happens(hasHappened, { withinMs: patienceMs, everyMs: isRecall(point) ? 500 : 10 })
  const hit = !existsSync(marker)
  rmSync(marker, { force: true })
  return hit
}

async function untilSomebody(role: Role, fleet: Fleet): Promise<void> {
  await waitUntil(() => fleet.members(role).some((member) => member.process()), {
    what: `a ${role} being there`,
    withinMs: 60_000,
  })
}

/** The dead one's lease would end by itself in seconds; waiting for that each time is left to the proof of kills. */
async function endLeases({ fleet }: CrashDeps): Promise<void> {
  const holders = fleet.members('dispatcher').map((member) => `%:${member.process()?.pid}`)
  await fleet.ask(`update dispatch_leases set expires_at = '-infinity' where not holder like any($1)`, [
    holders,
  ])
}

/** Releases documents as if a dispatcher had died between releasing them and sending their notes, a while ago. */
async function loseNotes({ fleet }: CrashDeps): Promise<void> {
  await fleet.ask(
    `update work w set state = 'ready', ticket = nextval('work_tickets'), touched_at = now() - interval '1 minute'
       from (select tenant_id, scope_id, document_id from work where state = 'queued' limit 3 for update skip locked) q
      where (w.tenant_id, w.scope_id, w.document_id) = (q.tenant_id, q.scope_id, q.document_id)`,
  )
}

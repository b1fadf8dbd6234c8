/** Checks which processes send heartbeats, and whether work moves, by the rules of the kernel's health. */
import { failed, warning, ok } from '../../domain/checkup.ts'
import type { Check } from '../../domain/checkup.ts'
import { isMoving } from '../../domain/kernel-health.ts'
import { LEASE_SECONDS } from '../../domain/lease.ts'
import { selectErasureStats } from '../../store/scopes/erasures.ts'
import { selectDispatcherLagMs, selectOpenWork } from '../../store/health/kernel-health.ts'
import type { Pools } from '../../store/pools.ts'
import { selectServiceSwitch } from '../../store/processing/runtime.ts'
import type { Presence } from '../health/presence.ts'
import { attempt } from './attempt.ts'

const NEEDED = ['dispatcher', 'worker']

export function checkProcesses(presence: Presence): Check {
  const heard = Map.groupBy(presence.members(), ({ role }) => role)
  const found = [...heard].map(([role, members]) => `${members.length} ${role}`).join(', ') || 'nobody'
  const missing = NEEDED.filter((role) => !heard.has(role))
  if (missing.length === 0) return ok('processes', `heard: ${found}`)
  const commands = missing.map((role) => `concord ${role}`).join(' and ')
  return warning(
    'processes',
    `heard: ${found}`,
    `start ${commands}, with the same NATS_URL and SUBJECT_PREFIX`,
  )
}

export async function checkWork({ kernel }: Pools, presence: Presence): Promise<Check[]> {
  return attempt('work', 'fix the failed checks of Postgres first', async () => {
    const { state } = await selectServiceSwitch(kernel)
    if (state !== 'running')
      return [warning('work', `the service is ${state}`, 'concord runtime start lets work run again')]
    const [work, dispatcherLagMs] = await Promise.all([
      selectOpenWork(kernel),
      selectDispatcherLagMs(kernel, LEASE_SECONDS),
    ])
    const moving = isMoving({
      work,
      dispatcherLagMs,
      sinceCompletionMs: presence.sinceCompletionMs(),
      workerSilenceMs: silenceOf(presence, 'worker'),
      dispatcherSilenceMs: silenceOf(presence, 'dispatcher'),
    })
    const waits =
      work.oldestAgeMs === null ? 'nothing waits' : `the oldest waits for ${secondsOf(work.oldestAgeMs)} s`
    const found = `${waits}, ${work.inFlight} being read`
    const advice = 'start a dispatcher and workers, or look at their logs'
    return [moving ? ok('work', found) : failed('work', `${found}, and it does not move`, advice)]
  })
}

/** Returns no check unless the reset or deletion of a scope is stuck. */
export async function checkErasures({ kernel }: Pools): Promise<Check[]> {
  return attempt('erasures', 'fix the failed checks of Postgres first', async () => {
    const { idleMs } = await selectErasureStats(kernel)
    if (idleMs === null || idleMs < ERASURE_IDLE_MS) return []
    const found = `the reset or deletion of a scope has deleted nothing for ${secondsOf(idleMs)} s`
    return [warning('erasures', found, 'start an API process, or look at its log')]
  })
}

/** An API process resumes an interrupted erasure long before this time. */
const ERASURE_IDLE_MS = 60_000

/** Returns the age of the role's latest heartbeat, or infinity if none was received. */
function silenceOf(presence: Presence, role: string): number {
  const ages = presence.members().filter((member) => member.role === role)
  return Math.min(Infinity, ...ages.map(({ ageMs }) => ageMs))
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1000)
}

/**
 * Takes a snapshot of the workers on all hosts and of the present, wanted and waiting numbers of each role. It uses the
 * heartbeats of the processes. A process with an old heartbeat is reported as lost.
 */
import type { HeartbeatState, CurrentAttempt } from '../../domain/heartbeat.ts'
import type { RolePool, ScalingDecision } from '../../domain/hatchery.ts'
import type { Hatcheries, LastSeenHatchery } from './hatcheries.ts'
import type { PresentProcess, Presence } from './presence.ts'
import type { RoleStats, WorkMeter } from '../processing/work-meter.ts'

export interface SnapshotDeps {
  readonly presence: Pick<Presence, 'members'>
  readonly hatcheries: Hatcheries
  readonly meter: Pick<WorkMeter, 'read'>
}

export interface RoleSnapshot {
  readonly role: string
  /** Null, like the bounds, if no hatchery manages the role. */
  readonly wanted: number | null
  readonly min: number | null
  readonly max: number | null
  readonly running: number
  readonly starting: number
  readonly busy: number
  /** Null for a role without a queue, and while the figures are not known. */
  readonly figures: RoleStats | null
  readonly decisions: readonly ScalingDecision[]
}

export interface WorkerSnapshot {
  readonly id: string
  readonly role: string
  readonly host: string
  readonly pid: number
  readonly hatchery: string | null
  readonly state: HeartbeatState | 'lost'
  readonly startedAt: number
  readonly current: CurrentAttempt | null
  readonly inFlight: number
  readonly processed: number
  readonly failed: number
  readonly memoryBytes: number
  readonly ageMs: number
}

export interface HatchSnapshot {
  readonly roles: readonly RoleSnapshot[]
  readonly workers: readonly WorkerSnapshot[]
  readonly hatcheries: readonly LastSeenHatchery[]
}

const READING_ROLE = 'worker'

export function takeSnapshot({ presence, hatcheries, meter }: SnapshotDeps): HatchSnapshot {
  const members = presence.members()
  const lastSeen = hatcheries.list()
  const broods = lastSeen.filter(({ alive }) => alive).flatMap(({ heartbeat }) => heartbeat.broods)
  const roles = new Set([READING_ROLE, ...members.map(({ role }) => role), ...broods.map(({ role }) => role)])
  return {
    roles: [...roles].toSorted().map((role) => ({
      ...describeRole(members.filter((member) => member.role === role)),
      ...describePools(broods.filter((pool) => pool.role === role)),
      role,
      figures: (role === READING_ROLE && meter.read()) || null,
      decisions: decisionsOf(lastSeen, role),
    })),
    workers: members.map(toWorker),
    hatcheries: lastSeen,
  }
}

function describeRole(members: readonly PresentProcess[]): {
  readonly running: number
  readonly busy: number
} {
  const living = members.filter(({ alive, heartbeat }) => alive && heartbeat.state !== 'retiring')
  return { running: living.length, busy: living.filter(({ heartbeat }) => heartbeat.state === 'busy').length }
}

function describePools(
  broods: readonly RolePool[],
): Pick<RoleSnapshot, 'wanted' | 'min' | 'max' | 'starting'> {
  if (broods.length === 0) return { wanted: null, min: null, max: null, starting: 0 }
  const sum = (of: (pool: RolePool) => number) => broods.reduce((total, pool) => total + of(pool), 0)
  return {
    wanted: sum(({ wanted }) => wanted),
    min: sum(({ min }) => min),
    max: sum(({ max }) => max),
    starting: sum(({ starting }) => starting),
  }
}

/** Returns the decisions of the present decider, and those of an earlier decider while its heartbeat is known. */
function decisionsOf(lastSeen: readonly LastSeenHatchery[], role: string): ScalingDecision[] {
  return lastSeen
    .flatMap(({ heartbeat }) => heartbeat.decisions)
    .filter((decision) => decision.role === role)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, 10)
    .map(({ at, from, to, reason }) => ({ at, from, to, reason }))
}

function toWorker({ heartbeat, alive, ageMs }: PresentProcess): WorkerSnapshot {
  const { id, role, host, pid, hatchery, startedAt, current, inFlight, processed, failed, memoryBytes } =
    heartbeat
  return {
    id,
    role,
    host,
    pid,
    hatchery,
    startedAt,
    current,
    inFlight,
    processed,
    failed,
    memoryBytes,
    ageMs,
    state: alive ? heartbeat.state : 'lost',
  }
}

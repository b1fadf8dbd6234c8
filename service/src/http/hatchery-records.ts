/** The workers and their hatcheries, in the words of the contract. */
import type { HatchSnapshot, RoleSnapshot, WorkerSnapshot } from '../app/health/hatchery-snapshot.ts'
import type { LastSeenHatchery } from '../app/health/hatcheries.ts'

export function toSnapshotRecord({ roles, workers, hatcheries }: HatchSnapshot, takenAt: Date) {
  return {
    taken_at: takenAt.toISOString(),
    roles: roles.map(toRole),
    workers: workers.map(toWorker),
    hatcheries: hatcheries.map(toHatchery),
  }
}

function toRole({ figures, decisions, ...role }: RoleSnapshot) {
  return {
    ...role,
    waiting: figures?.waiting ?? null,
    oldest_wait_ms: rounded(figures?.oldestWaitMs),
    arrival_rate: toHundredths(figures?.arrivalsPerSecond),
    service_rate: toHundredths(figures?.perWorker),
    utilisation: toHundredths(figures?.utilisation),
    decisions: decisions.map(({ at, ...decision }) => ({ at: instant(at), ...decision })),
  }
}

function toWorker(worker: WorkerSnapshot) {
  const { id, role, host, pid, hatchery, state, startedAt, current, inFlight, processed, failed } = worker
  return {
    worker_id: id,
    role,
    host,
    pid,
    hatchery_id: hatchery,
    state,
    since: instant(startedAt),
    current_attempt: current && {
      tenant_id: current.tenantId,
      scope_id: current.scopeId,
      document_id: current.documentId,
      attempt: current.attempt,
      started_at: instant(current.startedAt),
    },
    in_flight: inFlight,
    processed,
    failed,
    memory_bytes: worker.memoryBytes,
    heartbeat_age_ms: Math.round(worker.ageMs),
  }
}

function toHatchery({ heartbeat, alive, ageMs }: LastSeenHatchery) {
  return {
    hatchery_id: heartbeat.id,
    host: heartbeat.host,
    pid: heartbeat.pid,
    alive,
    since: instant(heartbeat.startedAt),
    decides: alive && heartbeat.wishes !== null,
    roles: heartbeat.broods.map(({ role, wanted, running, starting, min, max }) => ({
      role,
      wanted,
      running,
      starting,
      min,
      max,
    })),
    heartbeat_age_ms: Math.round(ageMs),
  }
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}

function rounded(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.round(value)
}

function toHundredths(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.round(value * 100) / 100
}

/** Lists the running processes, by their recent heartbeats. */
import { z } from 'zod'
import type { Heartbeat } from '../../domain/heartbeat.ts'
import { createHeartbeatRegistry, instant, processId, role, senderFields } from './heartbeat-registry.ts'
import type { LastSeen } from './heartbeat-registry.ts'

export interface PresentProcess extends LastSeen<Heartbeat> {
  readonly id: string
  readonly role: string
}

export interface Presence {
  /** Records a heartbeat. An invalid one is ignored. */
  record(payload: string): void
  /** Returns the processes, sorted by role and id. */
  members(): readonly PresentProcess[]
  /**
   * The time since the last heartbeat of a process of the role that takes work, or since the start of this process if
   * there was none.
   */
  silenceMs(role: string): number
  /** The time since any worker completed a document; null before the first one. */
  sinceCompletionMs(): number | null
}

const count = z.int().min(0)
const schema = z.strictObject({
  ...senderFields,
  role,
  hatchery: processId.nullable(),
  state: z.enum(['idle', 'busy', 'retiring']),
  inFlight: count,
  processed: count,
  failed: count,
  memoryBytes: count,
  lastCompletionAt: instant.nullable(),
  capacity: count,
  busyMs: count,
  current: z
    .strictObject({
      tenantId: z.uuid(),
      scopeId: z.string().min(1).max(200),
      documentId: z.string().min(1).max(300),
      attempt: count,
      startedAt: instant,
    })
    .nullable(),
  judge: z.enum(['on', 'failing']).optional(),
  model: z.enum(['on', 'failing']).optional(),
})

const isRetiring = ({ state }: Heartbeat) => state === 'retiring'

export function createPresence(monotonicMs: () => number): Presence {
  const listeningSince = monotonicMs()
  const processes = createHeartbeatRegistry<Heartbeat>(
    { schema, maxPayload: 4_000, maxProcesses: 2_000, isRetiring },
    monotonicMs,
  )
  /** Kept after the process that reported it has stopped. */
  let completedAt: number | undefined

  function recordCompletion({ saidAt, lastCompletionAt }: Heartbeat): void {
    if (lastCompletionAt === null) return
    const at = monotonicMs() - Math.max(0, saidAt - lastCompletionAt)
    completedAt = Math.max(completedAt ?? at, at)
  }

  return {
    record(payload) {
      const heartbeat = processes.record(payload)
      if (heartbeat) recordCompletion(heartbeat)
    },
    members() {
      return processes
        .list()
        .map(({ heartbeat, ageMs, alive }) => ({
          id: heartbeat.id,
          role: heartbeat.role,
          alive,
          ageMs,
          heartbeat,
        }))
        .toSorted((a, b) => compare(a.role, b.role))
    },
    silenceMs(ofRole) {
      const ages = processes
        .listAll()
        .filter(({ heartbeat }) => heartbeat.role === ofRole && !isRetiring(heartbeat))
        .map(({ ageMs }) => ageMs)
      return Math.min(monotonicMs() - listeningSince, ...ages)
    },
    sinceCompletionMs: () => (completedAt === undefined ? null : monotonicMs() - completedAt),
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** What stands behind the API, as an operator sees it: probes, queue ages, workers. Ids and figures, no content. */
import { z } from 'zod'
import { Stage } from './documents.ts'
import { Status } from './health.ts'
import { Count, DocumentId, ScopeId, TenantId, Timestamp } from './identity.ts'
import { RuntimeState } from './runtime.ts'

const Milliseconds = z.number().min(0)

export const Dependency = z
  .enum(['database', 'broker', 'migrations', 'dispatcher', 'hatchery'])
  .meta({ id: 'Dependency' })

const Probe = z
  .strictObject({
    name: Dependency,
    ok: z.boolean(),
    required: z.boolean().meta({ description: 'The service cannot serve without it.' }),
    latency_ms: Milliseconds.nullable().meta({ description: 'Null when the probe got no answer.' }),
    age_ms: Milliseconds.meta({ description: 'Age of this finding.' }),
    detail: z.string().nullable().meta({ description: 'What is wrong and where to look.' }),
  })
  .meta({ id: 'Probe' })

const WorkerLiveness = z
  .strictObject({
    worker_id: z.string(),
    role: z.string(),
    alive: z.boolean(),
    heartbeat_age_ms: Milliseconds,
  })
  .meta({ id: 'WorkerLiveness' })

export const KernelHealth = z
  .strictObject({
    status: Status,
    moving: z.boolean().meta({ description: 'False when work waits that may run, and none is completed.' }),
    oldest_queued_age_ms: Milliseconds.nullable(),
    last_completion_age_ms: Milliseconds.nullable(),
    dispatcher_lag_ms: Milliseconds.nullable(),
    probes: z.array(Probe),
    workers: z.array(WorkerLiveness),
  })
  .meta({ id: 'KernelHealth' })

export const ControlPlaneHealth = z
  .strictObject({
    status: Status,
    probes: z.array(Probe),
    migrations: z.strictObject({ applied: Count, expected: Count }),
    runtime: z.strictObject({ service: RuntimeState, switches_age_ms: Milliseconds }),
    hatchery_heartbeat_age_ms: Milliseconds.nullable(),
  })
  .meta({ id: 'ControlPlaneHealth' })

const ScalingDecision = z
  .strictObject({ at: Timestamp, from: Count, to: Count, reason: z.string() })
  .meta({ id: 'ScalingDecision' })

const Role = z
  .strictObject({
    role: z.string(),
    wanted: Count,
    running: Count,
    busy: Count,
    min: Count,
    max: Count,
    waiting: Count,
    oldest_wait_ms: Milliseconds.nullable(),
    arrival_rate: z.number().min(0).meta({ description: 'Documents a second.' }),
    service_rate: z.number().min(0).meta({ description: 'Documents a second that one worker completes.' }),
    utilisation: z.number().min(0),
    decisions: z.array(ScalingDecision).meta({ description: 'The last few, newest first.' }),
  })
  .meta({ id: 'HatcheryRole' })

const Attempt = z
  .strictObject({
    tenant_id: TenantId,
    scope_id: ScopeId,
    document_id: DocumentId,
    version: Count,
    attempt: Count,
    stage: Stage,
    started_at: Timestamp,
  })
  .meta({ id: 'Attempt' })

const Worker = z
  .strictObject({
    worker_id: z.string(),
    role: z.string(),
    host: z.string(),
    pid: z.int().min(1),
    state: z.enum(['starting', 'idle', 'busy', 'retiring', 'lost']),
    since: Timestamp,
    current_attempt: Attempt.nullable(),
    processed: Count,
    failed: Count,
    memory_bytes: Count,
    heartbeat_age_ms: Milliseconds,
  })
  .meta({ id: 'HatcheryWorker' })

export const HatcherySnapshot = z
  .strictObject({ taken_at: Timestamp, roles: z.array(Role), workers: z.array(Worker) })
  .meta({ id: 'HatcherySnapshot' })

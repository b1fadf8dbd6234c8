/** What stands behind the API, as an operator sees it: probes, queue ages, workers. Ids and figures, no content. */
import { z } from 'zod'
import { Status } from './health.ts'
import { Count, DocumentId, ScopeId, TenantId, Timestamp } from './identity.ts'
import { RuntimeState } from './runtime.ts'

const Milliseconds = z.number().min(0)

export const Dependency = z
  .enum(['database', 'broker', 'migrations', 'dispatcher', 'hatchery', 'model', 'audit'])
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

const AuditHead = z
  .strictObject({
    seq: Count.meta({ description: 'How many entries of the audit log have their place.' }),
    head: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({
        description:
          'MAC over all of them. Kept outside of the database with `seq`, it shows later that none was cut off.',
      }),
    unchained: Count.meta({ description: 'Entries that wait for their place, counted up to 10,000.' }),
    oldest_unchained_age_ms: Milliseconds.nullable(),
  })
  .meta({ id: 'AuditHead' })

export const KernelHealth = z
  .strictObject({
    status: Status,
    moving: z.boolean().meta({ description: 'False when work waits that may run, and none is completed.' }),
    oldest_queued_age_ms: Milliseconds.nullable(),
    last_completion_age_ms: Milliseconds.nullable(),
    dispatcher_lag_ms: Milliseconds.nullable(),
    audit: AuditHead.nullable().meta({ description: 'Null when the database did not answer.' }),
    probes: z.array(Probe),
    workers: z.array(WorkerLiveness),
    judge: z.enum(['off', 'on', 'failing']).meta({
      description:
        'The optional judge, as the workers that ask it say: off where none does. It never changes the status.',
    }),
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
    wanted: Count.nullable().meta({
      description: 'Null where no hatchery looks after the role; so are `min` and `max`.',
    }),
    running: Count,
    starting: Count,
    busy: Count,
    min: Count.nullable(),
    max: Count.nullable(),
    waiting: Count.nullable().meta({
      description:
        'Documents that may run and do not yet, counted up to 10,000. Null for a role that nothing waits for.',
    }),
    oldest_wait_ms: Milliseconds.nullable(),
    arrival_rate: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'Documents a second, over a few seconds.' }),
    service_rate: z.number().min(0).nullable().meta({
      description:
        'Documents a second that one worker completes when all its room is taken. Null until one was completed.',
    }),
    utilisation: z.number().min(0).max(1).nullable().meta({ description: 'Room taken, of all there is.' }),
    decisions: z.array(ScalingDecision).meta({ description: 'The last few, newest first.' }),
  })
  .meta({ id: 'HatcheryRole' })

const Attempt = z
  .strictObject({
    tenant_id: TenantId,
    scope_id: ScopeId,
    document_id: DocumentId,
    attempt: Count.meta({ description: '0 until it is claimed.' }),
    started_at: Timestamp,
  })
  .meta({ id: 'Attempt' })

const Worker = z
  .strictObject({
    worker_id: z.string(),
    role: z.string(),
    host: z.string(),
    pid: z.int().min(1),
    hatchery_id: z.string().nullable().meta({ description: 'Null when no hatchery started it.' }),
    state: z.enum(['idle', 'busy', 'retiring', 'lost']),
    since: Timestamp.meta({ description: 'When the process started.' }),
    current_attempt: Attempt.nullable().meta({ description: 'The one that has been in hand longest.' }),
    in_hand: Count,
    processed: Count,
    failed: Count,
    memory_bytes: Count,
    heartbeat_age_ms: Milliseconds,
  })
  .meta({ id: 'HatcheryWorker' })

const Hatchery = z
  .strictObject({
    hatchery_id: z.string(),
    host: z.string(),
    pid: z.int().min(1),
    alive: z.boolean(),
    since: Timestamp,
    decides: z.boolean().meta({ description: 'It is the one that scales for all hosts.' }),
    roles: z.array(
      z.strictObject({
        role: z.string(),
        wanted: Count,
        running: Count,
        starting: Count,
        min: Count,
        max: Count,
      }),
    ),
    heartbeat_age_ms: Milliseconds,
  })
  .meta({ id: 'Hatchery' })

export const HatcherySnapshot = z
  .strictObject({
    taken_at: Timestamp,
    roles: z.array(Role),
    workers: z.array(Worker),
    hatcheries: z.array(Hatchery),
  })
  .meta({ id: 'HatcherySnapshot' })

/** The kernel behind the API, as an operator sees it: probes, queue ages, workers. Ids and figures, no content. */
import { z } from 'zod'
import { Count, DocumentId, ScopeId, TenantId, Timestamp } from './identity.ts'
import { RuntimeState } from './runtime.ts'

const Milliseconds = z.number().min(0)

const KernelStatus = z.enum(['ok', 'paused', 'stopped', 'degraded', 'unavailable']).meta({
  id: 'KernelStatus',
  description:
    '`paused` and `stopped`: every part works, and the switch of the whole service pauses all work. `degraded`: ' +
    'serving, but an optional dependency is unavailable. `unavailable`: a required dependency is unavailable, or ' +
    'work that may run makes no progress.',
})

export const Dependency = z
  .enum(['database', 'broker', 'migrations', 'dispatcher', 'hatchery', 'model', 'audit'])
  .meta({
    id: 'Dependency',
    description: 'A dependency or part of the service, as probes and events name it.',
  })

const Probe = z
  .strictObject({
    name: Dependency,
    ok: z.boolean().meta({ description: 'Whether the probe succeeded.' }),
    required: z.boolean().meta({ description: 'Whether the service needs it to serve.' }),
    latency_ms: Milliseconds.nullable().meta({
      description: 'Duration of the probe; null if it got no answer.',
    }),
    age_ms: Milliseconds.meta({ description: 'Age of this result.' }),
    detail: z
      .string()
      .nullable()
      .meta({ description: 'The fault and where to look for its cause; null if the probe succeeded.' }),
  })
  .meta({ id: 'Probe' })

const WorkerLiveness = z
  .strictObject({
    worker_id: z.string().meta({ description: 'Id of the worker process.' }),
    role: z.string().meta({
      description:
        'What the process does; a process that reads and compares documents has the role `worker`.',
    }),
    alive: z
      .boolean()
      .meta({ description: 'Whether its last heartbeat is recent enough for it to count as running.' }),
    heartbeat_age_ms: Milliseconds.meta({ description: 'Milliseconds since its last heartbeat arrived.' }),
  })
  .meta({ id: 'WorkerLiveness' })

const AuditHead = z
  .strictObject({
    seq: Count.meta({ description: 'Number of entries of the audit log that have a position in the chain.' }),
    head: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({
        description:
          'MAC over all of them. Store it with `seq` outside of the database to detect later that entries were ' +
          'cut off.',
      }),
    unchained: Count.meta({ description: 'Entries without a position in the chain, counted up to 10,000.' }),
    oldest_unchained_age_ms: Milliseconds.nullable().meta({
      description: 'Age of the oldest of these entries, in milliseconds; null if there is none.',
    }),
  })
  .meta({ id: 'AuditHead' })

const ServiceSwitch = z
  .strictObject({
    service: RuntimeState.meta({ description: 'State of the switch of the whole service.' }),
    switches_age_ms: Milliseconds.meta({
      description: 'Milliseconds since this process last read the switches.',
    }),
  })
  .meta({
    id: 'ServiceSwitch',
    description: 'The switch of the whole service, as this process knows it.',
  })

export const KernelHealth = z
  .strictObject({
    status: KernelStatus,
    moving: z.boolean().meta({
      description:
        'Whether work makes progress. False if work that may run waits and none is completed; also while the ' +
        'whole service is paused or stopped.',
    }),
    runtime: ServiceSwitch.nullable().meta({
      description: 'The switch of the whole service; null while this process has not read it yet.',
    }),
    oldest_queued_age_ms: Milliseconds.nullable().meta({
      description:
        'Age of the oldest queued document that may run, in milliseconds; null if none waits or the database did ' +
        'not answer.',
    }),
    last_completion_age_ms: Milliseconds.nullable().meta({
      description: 'Milliseconds since a worker last completed an attempt; null until one was seen.',
    }),
    dispatcher_lag_ms: Milliseconds.nullable().meta({
      description:
        'Milliseconds since the renewal of the oldest dispatch lease; null while a part of the queue has no ' +
        'dispatcher or the database did not answer.',
    }),
    audit: AuditHead.nullable().meta({
      description: 'The end of the audit log; null if the database did not answer.',
    }),
    probes: z.array(Probe).meta({ description: 'One result for each probe.' }),
    workers: z.array(WorkerLiveness).meta({
      description: 'All processes that recently sent a heartbeat, including those that have stopped since.',
    }),
    judge: z.enum(['off', 'on', 'failing']).meta({
      description:
        'The state of the optional judge, reported by the workers; `off` if it is not configured. It never ' +
        'changes the status.',
    }),
  })
  .meta({ id: 'KernelHealth' })

export const ControlPlaneHealth = z
  .strictObject({
    status: KernelStatus,
    probes: z.array(Probe).meta({ description: 'One result for each probe.' }),
    migrations: z
      .strictObject({
        applied: Count.meta({ description: 'Migrations that the database has applied.' }),
        expected: Count.meta({ description: 'Migrations that this release needs.' }),
      })
      .meta({ description: 'Whether the database schema is the one that this release needs.' }),
    runtime: ServiceSwitch,
    hatchery_heartbeat_age_ms: Milliseconds.nullable().meta({
      description: 'Milliseconds since the last heartbeat of any hatchery; null if there was none recently.',
    }),
  })
  .meta({ id: 'ControlPlaneHealth' })

const ScalingDecision = z
  .strictObject({
    at: Timestamp.meta({ description: 'When the number of workers was changed.' }),
    from: Count.meta({ description: 'Desired number of workers before.' }),
    to: Count.meta({ description: 'Desired number of workers afterwards.' }),
    reason: z.string().meta({ description: 'Why the number was changed, as a stable word.' }),
  })
  .meta({ id: 'ScalingDecision' })

const Role = z
  .strictObject({
    role: z.string().meta({
      description: 'What the workers do; those that read and compare documents have the role `worker`.',
    }),
    wanted: Count.nullable().meta({
      description:
        'The desired number of workers. Null if no hatchery manages the role; then `min` and `max` are null too.',
    }),
    running: Count.meta({ description: 'Workers that are alive and not stopping.' }),
    starting: Count.meta({ description: 'Workers that were started and have not sent a heartbeat yet.' }),
    busy: Count.meta({ description: 'Running workers that have at least one document in progress.' }),
    min: Count.nullable().meta({
      description: 'Minimum number of workers, over all hosts; null if no hatchery manages the role.',
    }),
    max: Count.nullable().meta({
      description: 'Maximum number of workers, over all hosts; null if no hatchery manages the role.',
    }),
    waiting: Count.nullable().meta({
      description: 'Documents that may run and wait, counted up to 10,000. Null for a role without a queue.',
    }),
    oldest_wait_ms: Milliseconds.nullable().meta({
      description: 'Age of the oldest of these, in milliseconds; null if none waits or it is unknown.',
    }),
    arrival_rate: z.number().min(0).nullable().meta({
      description:
        'Documents that arrive per second, over the last few seconds; null for a role without a queue.',
    }),
    service_rate: z.number().min(0).nullable().meta({
      description:
        'Documents per second that one worker completes at full capacity. Null until one was completed.',
    }),
    utilisation: z.number().min(0).max(1).nullable().meta({
      description:
        'Used capacity divided by total capacity of its workers, from 0 to 1; null if it is unknown.',
    }),
    decisions: z.array(ScalingDecision).meta({ description: 'The last few, newest first.' }),
  })
  .meta({ id: 'HatcheryRole' })

const Attempt = z
  .strictObject({
    tenant_id: TenantId,
    scope_id: ScopeId,
    document_id: DocumentId,
    attempt: Count.meta({ description: 'The number of the attempt; 0 until a worker starts it.' }),
    started_at: Timestamp,
  })
  .meta({ id: 'Attempt' })

const Worker = z
  .strictObject({
    worker_id: z.string().meta({ description: 'Id of the worker process.' }),
    role: z.string().meta({
      description: 'What the worker does; a worker that reads and compares documents has the role `worker`.',
    }),
    host: z.string().meta({ description: 'Name of the machine that it runs on.' }),
    pid: z.int().min(1).meta({ description: 'Process id on that machine.' }),
    hatchery_id: z
      .string()
      .nullable()
      .meta({ description: 'The hatchery that started it; null if none did.' }),
    state: z.enum(['idle', 'busy', 'retiring', 'lost']).meta({
      description:
        '`idle`: no documents in flight. `busy`: some in flight. `retiring`: it completes its documents and ' +
        'exits. `lost`: its heartbeats stopped.',
    }),
    since: Timestamp.meta({ description: 'When the process started.' }),
    current_attempt: Attempt.nullable().meta({
      description: 'The oldest attempt in flight; null if there is none.',
    }),
    in_flight: Count.meta({ description: 'Documents in flight.' }),
    processed: Count.meta({ description: 'Attempts that it completed since it started.' }),
    failed: Count.meta({ description: 'Attempts that failed in it since it started.' }),
    memory_bytes: Count.meta({ description: 'Memory that the process uses, in bytes.' }),
    heartbeat_age_ms: Milliseconds.meta({ description: 'Milliseconds since its last heartbeat arrived.' }),
  })
  .meta({ id: 'HatcheryWorker' })

const Hatchery = z
  .strictObject({
    hatchery_id: z
      .string()
      .meta({ description: 'Id of the hatchery: the process that starts and stops workers on its host.' }),
    host: z.string().meta({ description: 'Name of the machine that it runs on.' }),
    pid: z.int().min(1).meta({ description: 'Process id on that machine.' }),
    alive: z
      .boolean()
      .meta({ description: 'Whether its last heartbeat is recent enough for it to count as running.' }),
    since: Timestamp,
    decides: z.boolean().meta({ description: 'Whether this hatchery scales for all hosts.' }),
    roles: z
      .array(
        z.strictObject({
          role: z.string().meta({
            description: 'What the workers do; those that read and compare documents have the role `worker`.',
          }),
          wanted: Count.meta({ description: 'Desired number of workers on its host.' }),
          running: Count.meta({ description: 'Its workers that are running.' }),
          starting: Count.meta({ description: 'Its workers that are starting.' }),
          min: Count.meta({ description: 'Minimum number of workers on its host.' }),
          max: Count.meta({ description: 'Maximum number of workers on its host.' }),
        }),
      )
      .meta({ description: 'The workers of this host, one entry for each role.' }),
    heartbeat_age_ms: Milliseconds.meta({ description: 'Milliseconds since its last heartbeat arrived.' }),
  })
  .meta({ id: 'Hatchery' })

export const HatcherySnapshot = z
  .strictObject({
    taken_at: Timestamp,
    roles: z
      .array(Role)
      .meta({ description: 'The desired, running and waiting counts of each role, over all hosts.' }),
    workers: z
      .array(Worker)
      .meta({ description: 'All workers that recently sent a heartbeat, on all hosts.' }),
    hatcheries: z.array(Hatchery).meta({ description: 'All hatcheries that recently sent a heartbeat.' }),
  })
  .meta({ id: 'HatcherySnapshot' })

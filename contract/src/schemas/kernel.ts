/** The kernel behind the API, as an operator sees it: probes, queue ages, workers. Ids and figures, no content. */
import { z } from 'zod'
import { Count, DocumentId, ScopeId, TenantId, Timestamp } from './identity.ts'
import { RuntimeState } from './runtime.ts'

const Milliseconds = z.number().min(0)

const KernelStatus = z.enum(['ok', 'paused', 'stopped', 'degraded', 'unavailable']).meta({
  id: 'KernelStatus',
  description:
    '`paused` and `stopped`: every part works, and the switch of the whole service holds all work. `degraded`: serving, but a part that carries (not decides) is missing. `unavailable`: a part is missing that nothing works without, or work that may run does not move.',
})

export const Dependency = z
  .enum(['database', 'broker', 'migrations', 'dispatcher', 'hatchery', 'model', 'audit'])
  .meta({
    id: 'Dependency',
    description: 'A part that the service depends on or consists of, as probes and events name it.',
  })

const Probe = z
  .strictObject({
    name: Dependency,
    ok: z.boolean().meta({ description: 'Whether the probe found this part working.' }),
    required: z.boolean().meta({ description: 'The service cannot serve without it.' }),
    latency_ms: Milliseconds.nullable().meta({ description: 'Null when the probe got no answer.' }),
    age_ms: Milliseconds.meta({ description: 'Age of this finding.' }),
    detail: z
      .string()
      .nullable()
      .meta({ description: 'What is wrong and where to look; null when nothing is.' }),
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
    seq: Count.meta({ description: 'How many entries of the audit log have their place.' }),
    head: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({
        description:
          'MAC over all of them. Kept outside of the database with `seq`, it shows later that none was cut off.',
      }),
    unchained: Count.meta({ description: 'Entries that wait for their place, counted up to 10,000.' }),
    oldest_unchained_age_ms: Milliseconds.nullable().meta({
      description: 'How long the oldest of these entries has waited, in milliseconds; null when none waits.',
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
        'False when work waits that may run, and none is completed; also while the whole service is paused or stopped.',
    }),
    runtime: ServiceSwitch.nullable().meta({
      description: 'Null while this process has never read the switch of the whole service.',
    }),
    oldest_queued_age_ms: Milliseconds.nullable().meta({
      description:
        'How long the oldest queued document that may run has waited, in milliseconds; null when none waits or the database did not answer.',
    }),
    last_completion_age_ms: Milliseconds.nullable().meta({
      description: 'Milliseconds since a worker last completed an attempt; null until one was seen.',
    }),
    dispatcher_lag_ms: Milliseconds.nullable().meta({
      description:
        'Milliseconds since the dispatch lease that is furthest behind was renewed; null while part of the queue has no dispatcher or the database did not answer.',
    }),
    audit: AuditHead.nullable().meta({ description: 'Null when the database did not answer.' }),
    probes: z.array(Probe).meta({ description: 'One finding for each dependency that was checked.' }),
    workers: z.array(WorkerLiveness).meta({
      description: 'All processes that sent a heartbeat lately, also those that stopped sending them.',
    }),
    judge: z.enum(['off', 'on', 'failing']).meta({
      description:
        'The optional judge, as the workers that ask it say: off where none does. It never changes the status.',
    }),
  })
  .meta({ id: 'KernelHealth' })

export const ControlPlaneHealth = z
  .strictObject({
    status: KernelStatus,
    probes: z.array(Probe).meta({ description: 'One finding for each dependency that was checked.' }),
    migrations: z
      .strictObject({
        applied: Count.meta({ description: 'Migrations that the database has applied.' }),
        expected: Count.meta({ description: 'Migrations that this release needs.' }),
      })
      .meta({ description: 'Whether the database schema is the one that this release needs.' }),
    runtime: ServiceSwitch,
    hatchery_heartbeat_age_ms: Milliseconds.nullable().meta({
      description: 'Milliseconds since any hatchery last sent a heartbeat; null when none did lately.',
    }),
  })
  .meta({ id: 'ControlPlaneHealth' })

const ScalingDecision = z
  .strictObject({
    at: Timestamp.meta({ description: 'When the number of workers was changed.' }),
    from: Count.meta({ description: 'Workers wanted before.' }),
    to: Count.meta({ description: 'Workers wanted from then on.' }),
    reason: z.string().meta({ description: 'Why the number was changed, as a stable word.' }),
  })
  .meta({ id: 'ScalingDecision' })

const Role = z
  .strictObject({
    role: z.string().meta({
      description: 'What the workers do; those that read and compare documents have the role `worker`.',
    }),
    wanted: Count.nullable().meta({
      description: 'Null where no hatchery looks after the role; so are `min` and `max`.',
    }),
    running: Count.meta({ description: 'Workers that are alive and are not about to end.' }),
    starting: Count.meta({ description: 'Workers that were started and have not sent a heartbeat yet.' }),
    busy: Count.meta({ description: 'Running workers that have at least one document in progress.' }),
    min: Count.nullable().meta({
      description:
        'The fewest workers that scaling keeps, on all hosts; null where no hatchery looks after the role.',
    }),
    max: Count.nullable().meta({
      description:
        'The most workers that scaling starts, on all hosts; null where no hatchery looks after the role.',
    }),
    waiting: Count.nullable().meta({
      description:
        'Documents that may run and do not yet, counted up to 10,000. Null for a role that nothing waits for.',
    }),
    oldest_wait_ms: Milliseconds.nullable().meta({
      description:
        'How long the longest of these has waited, in milliseconds; null when nothing waits or it is not known.',
    }),
    arrival_rate: z.number().min(0).nullable().meta({
      description:
        'Documents that arrive in a second, over the last few seconds; null for a role that nothing waits for.',
    }),
    service_rate: z.number().min(0).nullable().meta({
      description:
        'Documents a second that one worker completes when all its room is taken. Null until one was completed.',
    }),
    utilisation: z.number().min(0).max(1).nullable().meta({
      description:
        'Share of the capacity of its workers that is in use, from 0 to 1; null where it is not known.',
    }),
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
    worker_id: z.string().meta({ description: 'Id of the worker process.' }),
    role: z.string().meta({
      description: 'What the worker does; a worker that reads and compares documents has the role `worker`.',
    }),
    host: z.string().meta({ description: 'Name of the machine that it runs on.' }),
    pid: z.int().min(1).meta({ description: 'Process id on that machine.' }),
    hatchery_id: z.string().nullable().meta({ description: 'Null when no hatchery started it.' }),
    state: z.enum(['idle', 'busy', 'retiring', 'lost']).meta({
      description:
        '`idle`: it has no documents. `busy`: it has some. `retiring`: it finishes what it has and ends. `lost`: its heartbeats stopped.',
    }),
    since: Timestamp.meta({ description: 'When the process started.' }),
    current_attempt: Attempt.nullable().meta({
      description: 'The attempt that has been running longest; null while none runs.',
    }),
    in_flight: Count.meta({ description: 'Documents that it is working on now.' }),
    processed: Count.meta({ description: 'Attempts that it completed since it started.' }),
    failed: Count.meta({ description: 'Attempts that failed on it since it started.' }),
    memory_bytes: Count.meta({ description: 'Memory that the process uses, in bytes.' }),
    heartbeat_age_ms: Milliseconds.meta({ description: 'Milliseconds since its last heartbeat arrived.' }),
  })
  .meta({ id: 'HatcheryWorker' })

const Hatchery = z
  .strictObject({
    hatchery_id: z
      .string()
      .meta({ description: 'Id of the hatchery: the process that starts and ends workers on its host.' }),
    host: z.string().meta({ description: 'Name of the machine that it runs on.' }),
    pid: z.int().min(1).meta({ description: 'Process id on that machine.' }),
    alive: z
      .boolean()
      .meta({ description: 'Whether its last heartbeat is recent enough for it to count as running.' }),
    since: Timestamp,
    decides: z.boolean().meta({ description: 'It is the one that scales for all hosts.' }),
    roles: z
      .array(
        z.strictObject({
          role: z.string().meta({
            description: 'What the workers do; those that read and compare documents have the role `worker`.',
          }),
          wanted: Count.meta({ description: 'Workers that it is to run on its host.' }),
          running: Count.meta({ description: 'Its workers that are running.' }),
          starting: Count.meta({ description: 'Its workers that are starting.' }),
          min: Count.meta({ description: 'The fewest workers that it keeps on its host.' }),
          max: Count.meta({ description: 'The most workers that it starts on its host.' }),
        }),
      )
      .meta({ description: 'The workers of this host, one entry for each role.' }),
    heartbeat_age_ms: Milliseconds.meta({ description: 'Milliseconds since its last heartbeat arrived.' }),
  })
  .meta({ id: 'Hatchery' })

export const HatcherySnapshot = z
  .strictObject({
    taken_at: Timestamp,
    roles: z.array(Role).meta({ description: 'What each role has, wants and waits for, over all hosts.' }),
    workers: z.array(Worker).meta({ description: 'All workers that sent a heartbeat lately, on all hosts.' }),
    hatcheries: z.array(Hatchery).meta({ description: 'All hatcheries that sent a heartbeat lately.' }),
  })
  .meta({ id: 'HatcherySnapshot' })

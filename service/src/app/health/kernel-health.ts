/**
 * Probes the parts of the service, at most once a second however many callers there are, and evaluates the results. A part that does not
 * answer in time is not probed again while the probe is outstanding.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Fault } from '../../domain/fault.ts'
import {
  auditProbesOf,
  brokerProbeOf,
  isMoving,
  judgeHealthOf,
  judgeStatus,
  modelProbesOf,
  probesOf,
} from '../../domain/kernel-health.ts'
import type {
  ProbeResult,
  DatabaseState,
  ProbeResults,
  HealthStatus,
  JudgeHealth,
  OpenWork,
  Probe,
} from '../../domain/kernel-health.ts'
import { LEASE_SECONDS } from '../../domain/lease.ts'
import type { RuntimeState } from '../../domain/runtime.ts'
import type { Broker } from '../../engine/broker.ts'
import { pingBroker } from '../../engine/ping.ts'
import { findQueueStorage } from '../../engine/work-queue.ts'
import type { QueueStorage } from '../../engine/work-queue.ts'
import { createBacklogCursor } from '../../store/processing/backlog-hops.ts'
import { selectDispatcherLagMs, selectOpenWork } from '../../store/health/kernel-health.ts'
import { selectApplied } from '../../store/schema/migrations.ts'
import type { AppliedMigration, Migration } from '../../store/schema/migrations.ts'
import { hasRoomToWrite, pingDatabase } from '../../store/ping.ts'
import { isReadOnly } from '../../store/failures.ts'
import { selectAuditStats } from '../../store/audit/audit.ts'
import type { AuditStats } from '../../store/audit/audit.ts'
import type { Pool } from '../../store/pools.ts'
import { selectServiceSwitch } from '../../store/processing/runtime.ts'
import { findSchemaMismatch } from '../../store/schema/self-check.ts'
import type { Hatcheries } from './hatcheries.ts'
import type { PresentProcess, Presence } from './presence.ts'

export interface KernelHealthDeps {
  /** Runs as the kernel role. */
  readonly kernel: Pool
  readonly broker: Pick<Broker, 'isConnected' | 'connection'>
  readonly workSubjects: readonly string[]
  readonly presence: Presence
  readonly hatcheries: Pick<Hatcheries, 'list'>
  /** Those of this release. */
  readonly migrations: readonly Migration[]
  readonly monotonicMs: () => number
}

export interface KernelReport {
  readonly status: HealthStatus
  /** False if work that may run makes no progress, or if the service switch pauses all work. */
  readonly moving: boolean
  /** The switch of the whole service. Undefined until the database has answered once. */
  readonly service: ServiceSwitch | undefined
  readonly oldestQueuedAgeMs: number | null
  readonly sinceCompletionMs: number | null
  readonly dispatcherLagMs: number | null
  readonly probes: readonly Probe[]
  readonly members: readonly PresentProcess[]
  /** Null if the database did not answer. */
  readonly audit: AuditStats | null
  readonly judge: JudgeHealth
}

export interface ServiceSwitch {
  readonly state: RuntimeState
  /** The time since it was read. */
  readonly ageMs: number
}

export interface ControlPlaneReport {
  readonly status: HealthStatus
  readonly probes: readonly Probe[]
  readonly migrations: { readonly applied: number; readonly expected: number }
  readonly service: ServiceSwitch
  /** The time since the last heartbeat of a hatchery. Null if there was none recently. */
  readonly hatcheryAgeMs: number | null
}

export interface KernelHealth {
  readKernel(): Promise<KernelReport>
  /** Returns the probe of the broker, as both reports show it. */
  readBroker(): Promise<Probe>
  /** Rejects until the database has answered once. */
  readControlPlane(): Promise<ControlPlaneReport>
}

const FRESH_MS = 1_000
const ANSWER_MS = 2_000

interface Round {
  readonly at: number
  readonly database: ProbeResult<DatabaseState>
  readonly broker: ProbeResult<QueueStorage | undefined>
  readonly applied: ProbeResult<readonly AppliedMigration[]>
  readonly lag: ProbeResult<number | null>
  readonly work: ProbeResult<OpenWork>
  readonly service: ProbeResult<RuntimeState>
  readonly audit: ProbeResult<AuditStats>
}

export function createKernelHealth(deps: KernelHealthDeps): KernelHealth {
  const { hatcheries, migrations, monotonicMs } = deps
  const ask = createRound(deps)
  let asking: Promise<Round> | undefined
  let last: Round | undefined
  /** The last answer of the database. */
  let applied: readonly AppliedMigration[] | undefined
  let service: { readonly state: RuntimeState; readonly at: number } | undefined

  async function askAll(): Promise<Round> {
    const round = await ask()
    if (round.applied.answered) applied = round.applied.value
    if (round.service.answered) service = { state: round.service.value, at: round.service.at }
    last = round
    return round
  }

  async function look(): Promise<Round> {
    if (last && monotonicMs() - last.at < FRESH_MS) return last
    return (asking ??= askAll().finally(() => (asking = undefined)))
  }

  function switchNow(): ServiceSwitch | undefined {
    return service && { state: service.state, ageMs: monotonicMs() - service.at }
  }

  return {
    async readKernel() {
      const round = await look()
      return toKernelReport(deps, round, switchNow())
    },
    async readBroker() {
      const { broker } = await look()
      return brokerProbeOf(broker, monotonicMs())
    },
    async readControlPlane() {
      const round = await look()
      const known = switchNow()
      if (!applied || !known) throw new Fault('unavailable')
      const probes = probesOf(findingsOf(round, migrations), monotonicMs())
      return {
        status: judgeStatus({ probes, service: known.state }),
        probes,
        migrations: { applied: applied.length, expected: migrations.length },
        service: known,
        hatcheryAgeMs: youngestOf(hatcheries.list()),
      }
    },
  }
}

function toKernelReport(
  { presence, migrations, monotonicMs }: KernelHealthDeps,
  round: Round,
  service: ServiceSwitch | undefined,
): KernelReport {
  const members = presence.members()
  const alive = members.filter((member) => member.alive)
  const probes = [
    ...probesOf(findingsOf(round, migrations), monotonicMs()),
    ...modelProbesOf(alive.map(({ heartbeat }) => heartbeat.model)),
    ...auditProbesOf(valueOf(round.audit)?.oldestUnchainedMs ?? null),
  ]
  const dispatcherLagMs = valueOf(round.lag) ?? null
  const sinceCompletionMs = presence.sinceCompletionMs()
  const moving = isMoving({
    work: valueOf(round.work),
    dispatcherLagMs,
    sinceCompletionMs,
    workerSilenceMs: presence.silenceMs('worker'),
    dispatcherSilenceMs: presence.silenceMs('dispatcher'),
  })
  const isHeld = service !== undefined && service.state !== 'running'
  return {
    status: judgeStatus({ probes, moving, service: service?.state }),
    moving: moving && !isHeld,
    service,
    oldestQueuedAgeMs: valueOf(round.work)?.oldestAgeMs ?? null,
    sinceCompletionMs,
    dispatcherLagMs,
    probes,
    members,
    audit: valueOf(round.audit) ?? null,
    judge: judgeHealthOf(alive.map(({ heartbeat }) => heartbeat.judge)),
  }
}

/** Probes all parts at the same time, so the slowest one determines the duration, which is bounded. */
function createRound({ kernel, broker, workSubjects, monotonicMs }: KernelHealthDeps): () => Promise<Round> {
  const backlog = createBacklogCursor()
  const database = createQuestion(() => judgeWriting(kernel), monotonicMs)
  const toBroker = createQuestion(async () => {
    await pingBroker(broker)
    return findQueueStorage(broker, workSubjects)
  }, monotonicMs)
  const applied = createQuestion(() => selectApplied(kernel), monotonicMs)
  const lag = createQuestion(() => selectDispatcherLagMs(kernel, LEASE_SECONDS), monotonicMs)
  const work = createQuestion(() => selectOpenWork(kernel, backlog), monotonicMs)
  const service = createQuestion(async () => (await selectServiceSwitch(kernel)).state, monotonicMs)
  const audit = createQuestion(() => selectAuditStats(kernel), monotonicMs)
  return async () => {
    const answers = await Promise.all([database(), toBroker(), applied(), lag(), work(), service(), audit()])
    return {
      at: monotonicMs(),
      database: answers[0],
      broker: answers[1],
      applied: answers[2],
      lag: answers[3],
      work: answers[4],
      service: answers[5],
      audit: answers[6],
    }
  }
}

async function judgeWriting(kernel: Pool): Promise<DatabaseState> {
  try {
    await pingDatabase(kernel)
  } catch (error) {
    if (isReadOnly(error)) return 'read_only'
    throw error
  }
  return (await hasRoomToWrite(kernel)) ? 'writable' : 'full'
}

/** Never rejects. While a probe is outstanding, all callers wait for it. */
function createQuestion<Value>(
  ask: () => Promise<Value>,
  monotonicMs: () => number,
): () => Promise<ProbeResult<Value>> {
  let pending: Promise<ProbeResult<Value>> | undefined

  async function askOnce(): Promise<ProbeResult<Value>> {
    const start = monotonicMs()
    try {
      const value = await ask()
      return { answered: true, value, latencyMs: monotonicMs() - start, at: monotonicMs() }
    } catch {
      return { answered: false, at: monotonicMs() }
    } finally {
      pending = undefined
    }
  }

  return async () => {
    pending ??= askOnce()
    const late = delay(ANSWER_MS, undefined, { ref: false })
    return (await Promise.race([pending, late])) ?? { answered: false, at: monotonicMs() }
  }
}

function findingsOf(
  { database, broker, applied, lag }: Round,
  migrations: readonly Migration[],
): ProbeResults {
  const mismatches: ProbeResults['mismatches'] = applied.answered
    ? { ...applied, value: findSchemaMismatch(applied.value, migrations) }
    : applied
  return { database, broker, mismatches, dispatcherLagMs: lag }
}

function youngestOf(heard: readonly { readonly ageMs: number }[]): number | null {
  return heard.length === 0 ? null : Math.min(...heard.map(({ ageMs }) => ageMs))
}

function valueOf<Value>(finding: ProbeResult<Value>): Value | undefined {
  return finding.answered ? finding.value : undefined
}

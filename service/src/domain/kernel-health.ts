/**
 * Decides whether the kernel is healthy and whether work moves. Pure rules over the results of probes. The most
 * important rule: the health is never `ok` while work that may run does not move.
 */

import type { RuntimeState } from './runtime.ts'

export type HealthStatus = 'ok' | 'paused' | 'stopped' | 'degraded' | 'unavailable'

/** If documents wait this long while nothing is completed, work does not move. */
const TIMEOUT_MS = 15_000
/** If no heartbeat arrives for this long, the process does not come back by itself: a takeover takes less time. */
const ABSENCE_MS = 10_000

export interface OpenWork {
  /**
   * The age of the oldest document that waits and may run, in the backlog or at the broker; null without such a
   * document.
   */
  readonly oldestAgeMs: number | null
  /** The longest time that any of them has waited. Time behind a switch does not count. */
  readonly waitedMs: number | null
  /** How many documents that may run are being read. */
  readonly inFlight: number
}

/** The result of probing a part. */
export type ProbeResult<Value> =
  | { readonly answered: true; readonly value: Value; readonly latencyMs: number; readonly at: number }
  | { readonly answered: false; readonly at: number }

/** `full`: the disk has no room. `read_only`: the server is a standby or configured to refuse writes. */
export type DatabaseState = 'writable' | 'full' | 'read_only'

export interface ProbeResults {
  /** Whether the database accepts writes. */
  readonly database: ProbeResult<DatabaseState>
  /** Where the broker stores the queue; undefined before the queue exists. */
  readonly broker: ProbeResult<'disk' | 'memory' | undefined>
  /** Sentences that say why the schema does not fit this release. */
  readonly mismatches: ProbeResult<readonly string[]>
  readonly dispatcherLagMs: ProbeResult<number | null>
}

export interface Movement {
  /** Undefined if the database did not answer. */
  readonly work: OpenWork | undefined
  readonly dispatcherLagMs: number | null
  readonly workerSilenceMs: number
  readonly dispatcherSilenceMs: number
  readonly sinceCompletionMs: number | null
}

export interface Probe {
  readonly name: 'database' | 'broker' | 'migrations' | 'dispatcher' | 'model' | 'audit'
  readonly ok: boolean
  readonly required: boolean
  readonly latencyMs: number | null
  readonly ageMs: number
  readonly detail: string | null
}

/** Without the database no work moves. */
export function isMoving({ work, ...others }: Movement): boolean {
  if (!work) return false
  const waits = work.waitedMs !== null
  if (isLongerThan(TIMEOUT_MS, work.waitedMs) && !isWithin(TIMEOUT_MS, others.sinceCompletionMs)) return false
  if ((waits || work.inFlight > 0) && others.workerSilenceMs > ABSENCE_MS) return false
  // A renewed lease also proves that a dispatcher lives, without the broker.
  const hasDispatcher =
    others.dispatcherSilenceMs <= ABSENCE_MS || isWithin(ABSENCE_MS, others.dispatcherLagMs)
  return !waits || hasDispatcher
}

export interface HealthJudgement {
  readonly probes: readonly Probe[]
  /** Whether work that may run moves. */
  readonly moving?: boolean
  /** The switch of the service; undefined while it is not known. */
  readonly service: RuntimeState | undefined
}

/**
 * A kernel that does not move work counts as down. A switch that holds all work is not a fault, so it is named only if
 * every part works.
 */
export function judgeStatus({ probes, moving = true, service }: HealthJudgement): HealthStatus {
  if (!moving || probes.some((probe) => probe.required && !probe.ok)) return 'unavailable'
  if (!probes.every((probe) => probe.ok)) return 'degraded'
  return service === 'paused' || service === 'stopped' ? service : 'ok'
}

export function probesOf(results: ProbeResults, now: number): Probe[] {
  const { database, broker, mismatches, dispatcherLagMs } = results
  return [
    { name: 'database', required: true, ...judge(database, now, NO_DATABASE, faultOfDatabase) },
    brokerProbeOf(broker, now),
    {
      name: 'migrations',
      required: true,
      ...judge(mismatches, now, NOT_ASKED, (found) => (found.length > 0 ? found.join('; ') : null)),
    },
    { name: 'dispatcher', required: false, ...judge(dispatcherLagMs, now, NOT_ASKED, faultOfDispatcher) },
  ]
}

export function brokerProbeOf(broker: ProbeResults['broker'], now: number): Probe {
  return { name: 'broker', required: false, ...judge(broker, now, NO_BROKER, faultOfBroker) }
}

const NO_DATABASE = 'Postgres does not answer; see that it runs and can be reached from here'
const NO_BROKER =
  'NATS does not answer; documents are accepted but not processed, and no worker can be heard, until it is back'
const NOT_ASKED = 'Postgres did not answer; see the database probe first'

function judge<Value>(
  result: ProbeResult<Value>,
  now: number,
  silence: string,
  faultOf: (value: Value) => string | null,
): Omit<Probe, 'name' | 'required'> {
  const ageMs = Math.max(0, now - result.at)
  if (!result.answered) return { ok: false, latencyMs: null, ageMs, detail: silence }
  const detail = faultOf(result.value)
  return { ok: detail === null, latencyMs: result.latencyMs, ageMs, detail }
}

function faultOfDatabase(state: DatabaseState): string | null {
  if (state === 'writable') return null
  if (state === 'read_only')
    return 'Postgres only reads: the address leads to a standby, or default_transaction_read_only is on; point it at the primary'
  return 'the disk of Postgres is full: what is written is refused, what is read is answered; make room on its volume'
}

function faultOfBroker(storage: 'disk' | 'memory' | undefined): string | null {
  if (storage !== 'memory') return null
  return 'NATS cannot write to its disk, so it carries work in memory; make room on the volume of its store'
}

function faultOfDispatcher(lagMs: number | null): string | null {
  if (lagMs === null)
    return 'no dispatcher holds the backlog, or not all of it; start one, or look at the log of the one there is'
  if (lagMs <= ABSENCE_MS) return null
  return `no dispatcher has renewed its lease for ${Math.round(lagMs / 1_000)} s; start one, or look at its log`
}

/** Reported by the workers that read with a language model. While the model fails, the documents that it reads wait. */
export function modelProbesOf(states: readonly ('on' | 'failing' | undefined)[]): Probe[] {
  if (states.every((state) => state === undefined)) return []
  const ok = !states.includes('failing')
  return [{ name: 'model', ok, required: false, latencyMs: null, ageMs: 0, detail: ok ? null : NO_MODEL }]
}

const NO_MODEL =
  'the language model does not answer; the documents that it reads wait for it and go on by themselves; see MODEL_URL and concord doctor'

/**
 * The dispatcher chains audit entries twice a second. An entry that waits this long means that the dispatcher cannot.
 */
const AUDIT_LATE_MS = 60_000

/** Returns no probe while the audit chain keeps up. An entry outside the chain could be deleted unnoticed. */
export function auditProbesOf(oldestUnchainedMs: number | null): Probe[] {
  if (!isLongerThan(AUDIT_LATE_MS, oldestUnchainedMs)) return []
  const age = Math.round((oldestUnchainedMs ?? 0) / 1_000)
  const detail = `an audit entry has waited for its place for ${age} s; look at the log of the dispatcher, and run concord audit verify`
  return [{ name: 'audit', ok: false, required: false, latencyMs: null, ageMs: 0, detail }]
}

export type JudgeHealth = 'off' | 'on' | 'failing'

/** Reported by the workers. The judge is optional, so its state never turns health red. */
export function judgeHealthOf(states: readonly ('on' | 'failing' | undefined)[]): JudgeHealth {
  if (states.includes('failing')) return 'failing'
  return states.includes('on') ? 'on' : 'off'
}

function isLongerThan(boundMs: number, ms: number | null): boolean {
  return ms !== null && ms > boundMs
}

function isWithin(boundMs: number, ms: number | null): boolean {
  return ms !== null && ms <= boundMs
}

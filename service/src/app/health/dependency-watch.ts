/**
 * Watches the dependencies of the service and emits events on the operator's stream when one is lost and when it is back: once per
 * outage, however many dispatchers see it. Outages of less than a few seconds emit none.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Part } from '../../platform/lifecycle.ts'
import type { Log } from '../../platform/log.ts'
import {
  insertDatabaseOutage,
  insertLoss,
  insertRestoration,
  selectDependencyStates,
} from '../../store/health/dependencies.ts'
import type { Pool } from '../../store/pools.ts'

export interface DependencyWatchDeps {
  /** Runs as the kernel role. */
  readonly kernel: Pool
  /** The name under which this dispatcher holds its leases. */
  readonly holder: string
  /** Pings: each resolves if the dependency answers, and rejects if it does not. */
  readonly pingDatabase: () => Promise<void>
  readonly pingBroker: () => Promise<void>
  /** The state of the model as reported by the workers that use it. Undefined if none reports. */
  readonly modelState: () => 'on' | 'failing' | undefined
  readonly log: Log
  readonly everyMs?: number
  readonly lostAfterMs?: number
  /** The timeout of a ping. */
  readonly answerMs?: number
}

const EVERY_MS = 1_000
/** Shorter outages emit no event. A restart of a server takes less time. */
const LOST_AFTER_MS = 5_000
const ANSWER_MS = 2_000

/** The time since which it has not answered. Undefined while it answers. */
type SilentSince = number | undefined

export function createDependencyWatch(deps: DependencyWatchDeps): Part {
  const { everyMs = EVERY_MS, lostAfterMs = LOST_AFTER_MS, answerMs = ANSWER_MS, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const database = createProbe(deps.pingDatabase, answerMs)
  const broker = createProbe(deps.pingBroker, answerMs)
  const emitter = createEmitter(deps, lostAfterMs)
  let databaseSilentSince: SilentSince
  let brokerSilentSince: SilentSince
  let modelSilentSince: SilentSince
  let running: Promise<void> | undefined

  async function check(): Promise<void> {
    const at = performance.now()
    const [hasDatabase, hasBroker] = await Promise.all([database(), broker()])
    const model = deps.modelState()
    brokerSilentSince = hasBroker ? undefined : (brokerSilentSince ?? at)
    if (model) modelSilentSince = model === 'on' ? undefined : (modelSilentSince ?? at)
    if (!hasDatabase) databaseSilentSince ??= at
    else if (databaseSilentSince !== undefined) {
      const backAt = performance.now()
      if (backAt - databaseSilentSince >= lostAfterMs)
        emitter.recordOutage({ lostAt: databaseSilentSince, backAt })
      databaseSilentSince = undefined
    }
    const isAvailable = { broker: hasBroker, model: model === 'on' }
    const silentSince = { broker: brokerSilentSince, model: modelSilentSince }
    if (hasDatabase) await emitter.emit({ isAvailable, silentSince })
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one check after the other
      await check().catch((error: unknown) =>
        log.warn({ err: error }, 'the state of the dependencies could not be recorded yet'),
      )
      // oxlint-disable-next-line no-await-in-loop -- one check after the other
      await delay(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    name: 'dependency watch',
    async start() {
      running = run()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** The result of one check, by the monotonic clock. */
interface DependencyStates {
  readonly isAvailable: { readonly broker: boolean; readonly model: boolean }
  readonly silentSince: { readonly broker: SilentSince; readonly model: SilentSince }
}

interface DatabaseOutage {
  readonly lostAt: number
  readonly backAt: number
}

function createEmitter({ kernel, holder, log }: DependencyWatchDeps, lostAfterMs: number) {
  /** An outage of Postgres that has ended and whose events are not written yet. */
  let outage: DatabaseOutage | undefined

  async function emitOutage({ lostAt, backAt }: DatabaseOutage): Promise<void> {
    const now = performance.now()
    await insertDatabaseOutage(kernel, holder, { lostMs: now - lostAt, backMs: now - backAt })
    log.warn({ dependency: 'database', lostForMs: Math.round(backAt - lostAt) }, 'a dependency was away')
  }

  async function emitChange(
    dependency: keyof DependencyStates['silentSince'],
    { isAvailable, silentSince }: DependencyStates,
    isReportedLost: boolean,
  ): Promise<void> {
    if (isReportedLost && isAvailable[dependency]) {
      await insertRestoration(kernel, holder, dependency)
      log.info({ dependency }, 'a dependency is back')
    }
    const since = silentSince[dependency]
    if (isReportedLost || since === undefined || performance.now() - since < lostAfterMs) return
    await insertLoss(kernel, holder, dependency, performance.now() - since)
    log.warn({ dependency }, 'a dependency is away')
  }

  return {
    recordOutage: (ended: DatabaseOutage) => void (outage = ended),
    /** Writes the events. Postgres must be available. If no dispatcher is the leader, they are written later. */
    async emit(states: DependencyStates): Promise<void> {
      const { leader, lost } = await selectDependencyStates(kernel, holder)
      if (leader === 'nobody') return
      if (outage && leader === 'self') await emitOutage(outage)
      outage = undefined
      if (leader === 'other') return
      await emitChange('broker', states, lost.includes('broker'))
      await emitChange('model', states, lost.includes('model'))
    },
  }
}

/** Never rejects. While a ping is outstanding no further one is sent, so that pings to a silent server do not pile up. */
function createProbe(ping: () => Promise<void>, answerMs: number): () => Promise<boolean> {
  let pending: Promise<boolean> | undefined
  const pingOnce = () =>
    ping()
      .then(
        () => true,
        () => false,
      )
      .finally(() => (pending = undefined))
  return async () => {
    pending ??= pingOnce()
    return Promise.race([pending, delay(answerMs, false, { ref: false })])
  }
}

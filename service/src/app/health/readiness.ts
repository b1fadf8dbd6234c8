/**
 * Readiness: whether this process accepts traffic. Probes run in the background, so a request costs nothing and strangers cannot cause
 * load. A probe that has not answered for a while counts as failed.
 */
import type { Part } from '../../platform/lifecycle.ts'

export interface ReadinessProbe {
  readonly name: string
  /** False for a dependency that the service can do without for a while. */
  readonly required: boolean
  /** Rejects if the dependency is unavailable. */
  check(): Promise<void>
}

export interface CheckResult {
  readonly name: string
  readonly ok: boolean
  readonly required: boolean
  readonly ageMs: number
}

export type ReadinessStatus = 'ok' | 'degraded' | 'unavailable'

export interface Readiness extends Part {
  read(): { readonly status: ReadinessStatus; readonly checks: readonly CheckResult[] }
  /** Makes the process unready for good, whatever the probes say. */
  drain(): void
  isDraining(): boolean
}

const INTERVAL_MS = 1_000
/** The age after which a result is stale, so that a hanging probe turns the state red. */
const STALE_MS = 5_000

interface Observation {
  ok: boolean
  at: number
  running: boolean
}

export function createReadiness(probes: readonly ReadinessProbe[], monotonicMs: () => number): Readiness {
  const observations = new Map<ReadinessProbe, Observation>()
  let timer: NodeJS.Timeout | undefined
  let draining = false

  async function observe(probe: ReadinessProbe): Promise<void> {
    const last = observations.get(probe) ?? { ok: false, at: monotonicMs(), running: false }
    observations.set(probe, last)
    if (last.running) return
    last.running = true
    const ok = await probe.check().then(
      () => true,
      () => false,
    )
    observations.set(probe, { ok, at: monotonicMs(), running: false })
  }

  const observeAll = () => Promise.all(probes.map(observe))

  return {
    name: 'readiness',
    async start() {
      await observeAll()
      timer = setInterval(() => void observeAll(), INTERVAL_MS)
    },
    async stop() {
      clearInterval(timer)
    },
    drain() {
      draining = true
    },
    isDraining: () => draining,
    read() {
      const checks = probes.map((probe) => toCheck(probe, observations.get(probe), monotonicMs()))
      return { status: draining ? 'unavailable' : judge(checks), checks }
    },
  }
}

function toCheck(probe: ReadinessProbe, seen: Observation | undefined, now: number): CheckResult {
  const ageMs = Math.max(0, Math.round(now - (seen?.at ?? now)))
  return { name: probe.name, required: probe.required, ok: seen?.ok === true && ageMs < STALE_MS, ageMs }
}

function judge(checks: readonly CheckResult[]): ReadinessStatus {
  if (checks.some((check) => check.required && !check.ok)) return 'unavailable'
  return checks.every((check) => check.ok) ? 'ok' : 'degraded'
}

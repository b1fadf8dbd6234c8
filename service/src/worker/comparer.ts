/**
 * The loop that compares facts by a language model: several steps at a time, and one at a time while the endpoint
 * fails. Its state is in the database, so the process may crash at any moment. Another worker takes a step when its
 * lease expires.
 */
import { setTimeout as delay } from 'node:timers/promises'
import {
  askModelAboutStep,
  completeStep,
  findDueSteps,
  deferStep,
  releaseStep,
  renewStep,
  leaseStep,
} from '../app/comparing/comparison-steps.ts'
import type { ComparisonDeps, StepOutcome, StepRef, LeasedStep } from '../app/comparing/comparison-steps.ts'
import { BudgetReserved, ModelFailure } from '../domain/model.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'

export interface ComparerDeps extends ComparisonDeps {
  /** The maximum number of steps in flight. */
  readonly concurrency: number
  /** How often to poll for due steps. */
  readonly everyMs?: number
  readonly log: Log
}

export interface ComparerCounts {
  readonly steps: Record<StepOutcome | 'failed' | 'not_allowed', number>
}

export interface Comparer extends Part {
  readonly counts: ComparerCounts
}

const EVERY_MS = 500
const MIN_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000

export function createComparer(deps: ComparerDeps): Comparer {
  const { concurrency, everyMs = EVERY_MS, log } = deps
  const counts: ComparerCounts = {
    steps: { compared: 0, declined: 0, again: 0, gone: 0, failed: 0, not_allowed: 0 },
  }
  const stopping = new AbortController()
  const inFlight = new Map<string, Promise<void>>()
  const breaker = createBreaker(log)
  let running: Promise<void> | undefined

  async function compare(place: StepRef): Promise<void> {
    const taken = await leaseStep(deps, place)
    if (typeof taken === 'string') counts.steps[taken] += 1
    else await whileRenewed(deps, taken, () => compareTaken(taken))
  }

  async function compareTaken(taken: LeasedStep): Promise<void> {
    try {
      const answer = await askModelAboutStep(deps, taken, stopping.signal)
      breaker.close()
      counts.steps[await completeStep(deps, taken, answer)] += 1
    } catch (error) {
      if (stopping.signal.aborted) return releaseStep(deps, taken)
      counts.steps.failed += 1
      breaker.record(error)
      await deferStep(deps, taken, error)
      if (!(error instanceof ModelFailure)) throw error
    }
  }

  function begin(place: StepRef): void {
    const key = `${place.tenantId} ${place.scopeId} ${place.step}`
    if (inFlight.has(key)) return
    const work = compare(place)
      .catch(logError(log, 'a comparison step was not completed'))
      .finally(() => inFlight.delete(key))
    inFlight.set(key, work)
  }

  async function poll(): Promise<void> {
    const room = (breaker.isFailing() ? 1 : concurrency) - inFlight.size
    if (room <= 0 || breaker.isOpen()) return
    for (const place of await findDueSteps(deps, room)) begin(place)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one poll at a time
      await poll().catch(logError(log, 'due comparison steps could not be read'))
      const wake = delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      // oxlint-disable-next-line no-await-in-loop -- until there is room, or time to poll again
      await Promise.race([...inFlight.values(), wake])
    }
  }

  return {
    name: 'comparer',
    counts,
    async start() {
      running = run()
    },
    async stop() {
      stopping.abort()
      await running
      await Promise.all(inFlight.values())
    },
  }
}

/** Renews the lease of the step while the work runs. A slow worker keeps its step; a crashed worker loses it. */
async function whileRenewed(deps: ComparerDeps, taken: LeasedStep, work: () => Promise<void>): Promise<void> {
  const renew = () => void renewStep(deps, taken).catch(logError(deps.log, 'a lease was not renewed'))
  const timer = setInterval(renew, deps.leaseMs / 3)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
}

/** The circuit breaker of the endpoint. While the endpoint fails, one step at a time is tried, with growing pauses. */
function createBreaker(log: Log) {
  let consecutiveFailures = 0
  let openUntil = 0
  return {
    isFailing: () => consecutiveFailures > 0,
    isOpen: () => performance.now() < openUntil,
    close: () => void (consecutiveFailures = 0),
    /** A budget concerns one tenant alone, so it does not open the breaker. */
    record(error: unknown): void {
      if (!(error instanceof ModelFailure) || error.reason === 'over_budget') return
      if (error instanceof BudgetReserved) return
      if (consecutiveFailures === 0)
        log.warn({ why: error.reason }, 'the language model fails; comparisons wait')
      openUntil =
        performance.now() + Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** Math.min(consecutiveFailures, 10))
      consecutiveFailures += 1
    },
  }
}

/** Logs the class of an error, because its message may quote a claim. */
function logError(log: Log, message: string): (error: unknown) => void {
  return (error) =>
    log.warn({ fault: error instanceof Error ? error.constructor.name : typeof error }, message)
}

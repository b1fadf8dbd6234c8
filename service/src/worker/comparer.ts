/**
 * The loop that compares facts by a language model: several steps at a time, one while the endpoint fails. Everything it knows is in the
 * database, so it may die at any moment; another worker takes a step when its lease ends.
 */
import { setTimeout as delay } from 'node:timers/promises'
import {
  askAbout,
  concludeStep,
  findDueSteps,
  putOffStep,
  releaseStep,
  renewStep,
  takeStep,
} from '../app/comparing/comparison-steps.ts'
import type { ComparisonDeps, StepOutcome, StepPlace, TakenStep } from '../app/comparing/comparison-steps.ts'
import { ModelFailure } from '../domain/model.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'

export interface ComparerDeps extends ComparisonDeps {
  /** Steps in flight. */
  readonly concurrency: number
  /** How often to look whether there is something to compare. */
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
const FIRST_REST_MS = 1_000
const LONGEST_REST_MS = 30_000

export function createComparer(deps: ComparerDeps): Comparer {
  const { concurrency, everyMs = EVERY_MS, log } = deps
  const counts: ComparerCounts = {
    steps: { compared: 0, declined: 0, again: 0, gone: 0, failed: 0, not_allowed: 0 },
  }
  const stopping = new AbortController()
  const inFlight = new Map<string, Promise<void>>()
  const rest = createRest(log)
  let running: Promise<void> | undefined

  async function compare(place: StepPlace): Promise<void> {
    const taken = await takeStep(deps, place)
    if (typeof taken === 'string') counts.steps[taken] += 1
    else await whileRenewed(deps, taken, () => compareTaken(taken))
  }

  async function compareTaken(taken: TakenStep): Promise<void> {
    try {
      const answer = await askAbout(deps, taken, stopping.signal)
      rest.end()
      counts.steps[await concludeStep(deps, taken, answer)] += 1
    } catch (error) {
      if (stopping.signal.aborted) return releaseStep(deps, taken)
      counts.steps.failed += 1
      rest.note(error)
      await putOffStep(deps, taken, error)
      if (!(error instanceof ModelFailure)) throw error
    }
  }

  function begin(place: StepPlace): void {
    const key = `${place.tenantId} ${place.scopeId} ${place.step}`
    if (inFlight.has(key)) return
    const work = compare(place)
      .catch(tell(log, 'a comparison step was not completed'))
      .finally(() => inFlight.delete(key))
    inFlight.set(key, work)
  }

  async function look(): Promise<void> {
    const room = (rest.isFailing() ? 1 : concurrency) - inFlight.size
    if (room <= 0 || rest.isResting()) return
    for (const place of await findDueSteps(deps, room)) begin(place)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await look().catch(tell(log, 'due comparison steps could not be read'))
      const wake = delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      // oxlint-disable-next-line no-await-in-loop -- until there is room, or time to look again
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

/** A worker that is slow keeps its step; one that is gone does not. */
async function whileRenewed(deps: ComparerDeps, taken: TakenStep, work: () => Promise<void>): Promise<void> {
  const renew = () => void renewStep(deps, taken).catch(tell(deps.log, 'a lease was not renewed'))
  const timer = setInterval(renew, deps.leaseMs / 3)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
}

/** While the endpoint fails one step is tried now and then. */
function createRest(log: Log) {
  let failuresInARow = 0
  let until = 0
  return {
    isFailing: () => failuresInARow > 0,
    isResting: () => performance.now() < until,
    end: () => void (failuresInARow = 0),
    /** A budget that is used up is a matter of its tenant alone. */
    note(error: unknown): void {
      if (!(error instanceof ModelFailure) || error.reason === 'over_budget') return
      if (failuresInARow === 0) log.warn({ why: error.reason }, 'the language model fails; comparisons wait')
      until = performance.now() + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(failuresInARow, 10))
      failuresInARow += 1
    },
  }
}

/** A message may quote a claim, so the class of an error must do. */
function tell(log: Log, what: string): (error: unknown) => void {
  return (error) => log.warn({ fault: error instanceof Error ? error.constructor.name : typeof error }, what)
}

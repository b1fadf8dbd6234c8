/**
 * The loop that asks the judge a few questions at a time, and one at a time while the judge fails. Its state is in the
 * database, so the process may crash at any moment. Another worker then asks the questions in flight again.
 */
import { setTimeout as delay } from 'node:timers/promises'
import {
  completeQuestion,
  countWaiting,
  findDue,
  releaseQuestion,
  leaseQuestion,
} from '../app/contradictions/judge-requests.ts'
import type { JudgingDeps, RequestRef, LeasedQuestion } from '../app/contradictions/judge-requests.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { Endpoint } from './endpoint.ts'
import { createJudgeBreaker } from './circuit-breaker.ts'
import type { JudgeCounts } from './circuit-breaker.ts'

export interface JudgeDeps extends JudgingDeps {
  readonly endpoint: Endpoint
  readonly concurrency: number
  /** How often to poll for due questions. */
  readonly everyMs?: number
  readonly log: Log
}

export interface Judge extends Part {
  readonly counts: JudgeCounts
  /** `failing` if the last requests failed or were refused. */
  state(): 'on' | 'failing'
}

const EVERY_MS = 1_000
const COUNT_EVERY_MS = 10_000

export function createJudge(deps: JudgeDeps): Judge {
  const { endpoint, concurrency, everyMs = EVERY_MS, log } = deps
  const breaker = createJudgeBreaker(log)
  const { counts } = breaker
  const stopping = new AbortController()
  const inFlight = new Set<Promise<unknown>>()
  let countedAt = -Infinity
  let running: Promise<void> | undefined

  async function handle(place: RequestRef): Promise<void> {
    const taken = await leaseQuestion(deps, place)
    if (taken === 'over_budget') counts.overBudget += 1
    if (taken === 'not_allowed') counts.notAllowed += 1
    if (typeof taken !== 'string') await askAbout(taken)
  }

  async function askAbout(taken: LeasedQuestion): Promise<void> {
    const given = await endpoint.ask(taken.question, stopping.signal)
    if (stopping.signal.aborted && given.kind === 'failed') return releaseQuestion(deps, taken)
    const verdict = await completeQuestion(deps, taken, breaker.record(given))
    if (verdict !== 'again') counts.verdicts[verdict] += 1
  }

  function begin(place: RequestRef): void {
    const handling = handle(place)
      .catch(logError(log, 'a question to the judge was not completed'))
      .finally(() => inFlight.delete(handling))
    inFlight.add(handling)
  }

  async function poll(): Promise<void> {
    const room = (breaker.isFailing() ? 1 : concurrency) - inFlight.size
    if (room <= 0 || breaker.isOpen()) return
    if (performance.now() - countedAt > COUNT_EVERY_MS) {
      countedAt = performance.now()
      counts.waiting = await countWaiting(deps)
    }
    for (const place of await findDue(deps, room)) begin(place)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one poll at a time
      await poll().catch(logError(log, 'due questions to the judge could not be read'))
      const wake = delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      // oxlint-disable-next-line no-await-in-loop -- until there is room, or time to poll again
      await Promise.race([...inFlight, wake])
    }
  }

  return {
    name: 'judge',
    counts,
    state: () => (breaker.isFailing() ? 'failing' : 'on'),
    async start() {
      running = run()
    },
    async stop() {
      stopping.abort()
      await running
      await Promise.all(inFlight)
    },
  }
}

/** Logs the class of an error, because its message may quote a claim. */
function logError(log: Log, message: string): (error: unknown) => void {
  return (error) =>
    log.warn({ fault: error instanceof Error ? error.constructor.name : typeof error }, message)
}

/**
 * The loop that asks the judge: a few questions at a time, fewer while it fails. Everything it knows is in the database, so it
 * may die at any moment; a question in flight is then asked again by whoever comes.
 */
import { setTimeout as delay } from 'node:timers/promises'
import {
  concludeQuestion,
  countWaiting,
  findDue,
  releaseQuestion,
  takeQuestion,
} from '../app/contradictions/judge-requests.ts'
import type { JudgingDeps, RequestPlace, Taken } from '../app/contradictions/judge-requests.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { Endpoint } from './endpoint.ts'
import { createReputation } from './reputation.ts'
import type { JudgeCounts } from './reputation.ts'

export interface JudgeDeps extends JudgingDeps {
  readonly endpoint: Endpoint
  readonly concurrency: number
  /** How often to look whether there is something to ask. */
  readonly everyMs?: number
  readonly log: Log
}

export interface Judge extends Part {
  readonly counts: JudgeCounts
  /** Failing where the last answers were none. */
  state(): 'on' | 'failing'
}

const EVERY_MS = 1_000
const COUNT_EVERY_MS = 10_000

export function createJudge(deps: JudgeDeps): Judge {
  const { endpoint, concurrency, everyMs = EVERY_MS, log } = deps
  const reputation = createReputation(log)
  const { counts } = reputation
  const stopping = new AbortController()
  const inFlight = new Set<Promise<unknown>>()
  let countedAt = -Infinity
  let running: Promise<void> | undefined

  async function handle(place: RequestPlace): Promise<void> {
    const taken = await takeQuestion(deps, place)
    if (taken === 'over_budget') counts.overBudget += 1
    if (taken === 'not_allowed') counts.notAllowed += 1
    if (typeof taken !== 'string') await askAbout(taken)
  }

  async function askAbout(taken: Taken): Promise<void> {
    const given = await endpoint.ask(taken.question, stopping.signal)
    if (stopping.signal.aborted && given.kind === 'failed') return releaseQuestion(deps, taken)
    const verdict = await concludeQuestion(deps, taken, reputation.note(given))
    if (verdict !== 'again') counts.verdicts[verdict] += 1
  }

  function begin(place: RequestPlace): void {
    const handling = handle(place)
      .catch(tell(log, 'a question to the judge was not dealt with'))
      .finally(() => inFlight.delete(handling))
    inFlight.add(handling)
  }

  async function look(): Promise<void> {
    const room = (reputation.isFailing() ? 1 : concurrency) - inFlight.size
    if (room <= 0 || reputation.isResting()) return
    if (performance.now() - countedAt > COUNT_EVERY_MS) {
      countedAt = performance.now()
      counts.waiting = await countWaiting(deps)
    }
    for (const place of await findDue(deps, room)) begin(place)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await look().catch(tell(log, 'what the judge is to be asked could not be read'))
      const wake = delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      // oxlint-disable-next-line no-await-in-loop -- until there is room, or time to look again
      await Promise.race([...inFlight, wake])
    }
  }

  return {
    name: 'judge',
    counts,
    state: () => (reputation.isFailing() ? 'failing' : 'on'),
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

/** A message may quote a claim, so the class of an error must do. */
function tell(log: Log, what: string): (error: unknown) => void {
  return (error) => log.warn({ fault: error instanceof Error ? error.constructor.name : typeof error }, what)
}

/**
 * Carries out a plan of pauses. The moment of each answer is by Postgres' clock, which also dates the attempts in the
 * log; whatever began later than that, while the pause lasted, began against it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Level, PlannedCycle, Target } from './cycle-plan.ts'
import { askClock } from '../../harness/control/questions.ts'
import type { Ask } from '../../harness/control/questions.ts'
import { moveSwitch } from './switches.ts'
import type { Moved, RootKeys } from './switches.ts'

export interface Cycle {
  readonly level: Level
  /** In words, for whoever looks for the reason. */
  readonly what: string
  readonly paused: Moved
  readonly resumed: Moved
  readonly answerMs: number
  /** What was under way in the scopes concerned just after the answer, and what waited there and could have begun. */
  readonly inFlight: number
  readonly waiting: number
  /** Until nothing was under way there; infinite when the patience ended first. */
  readonly drainMs: number
  /** Attempts that began after the answer and before the end of the pause: in the scopes concerned, and elsewhere. */
  readonly startedHere: number
  readonly startedElsewhere: number
}

export interface CycleDeps {
  readonly ask: Ask
  readonly urls: () => readonly string[]
  readonly keys: RootKeys
  readonly drainPatienceMs: number
}

const LOOK_MS = 10
const AIM_MS = 600
/** A few, because some of them end before the answer is there. */
const ENOUGH_UNDER_WAY = 4

export async function runCycles(plan: readonly PlannedCycle[], deps: CycleDeps): Promise<Cycle[]> {
  const cycles: Cycle[] = []
  for (const planned of plan) {
    await delay(planned.afterMs)
    cycles.push(await runCycle(planned, deps))
  }
  return cycles
}

async function runCycle({ target, api, stayMs }: PlannedCycle, deps: CycleDeps): Promise<Cycle> {
  const { ask, urls, keys, drainPatienceMs } = deps
  const known = urls()
  const urlAt = (index: number) => known[index % known.length] ?? ''
  await aim(ask, target)
  const sent = performance.now()
  const paused = await moveSwitch(urlAt(api), 'pause', target, keys)
  const answered = performance.now()
  const at = await askClock(ask)
  const found = await askUnderWay(ask, target)
  const drainMs = await untilDrained(ask, target, answered, drainPatienceMs)
  await delay(stayMs)
  const started = await askStarted(ask, target, at)
  const resumed = await moveSwitch(urlAt(api + 1), 'resume', target, keys)
  return {
    level: target.level,
    what: describe(target, at),
    paused,
    resumed,
    answerMs: answered - sent,
    ...found,
    drainMs,
    ...started,
  }
}

/** True of the scopes that the switch stands above; the first two parameters of every statement. */
const CONCERNED = '(($1::uuid is null or tenant_id = $1) and ($2::text is null or scope_id = $2))'

function bounds({ level, place }: Target): [string | null, string | null] {
  return [level === 'service' ? null : place.tenantId, level === 'scope' ? place.scopeId : null]
}

async function askUnderWay(ask: Ask, target: Target): Promise<Pick<Cycle, 'inFlight' | 'waiting'>> {
  const [row] = await ask<Pick<Cycle, 'inFlight' | 'waiting'>>(
    `select count(*) filter (where state = 'processing')::int as "inFlight",
            count(*) filter (where state <> 'processing')::int as waiting
       from work where ${CONCERNED}`,
    bounds(target),
  )
  return row ?? { inFlight: 0, waiting: 0 }
}

/** Waits a little for work to be under way there; a pause that finds none shows less. */
async function aim(ask: Ask, target: Target): Promise<void> {
  const deadline = performance.now() + AIM_MS
  while (performance.now() < deadline) {
    if ((await askUnderWay(ask, target)).inFlight >= ENOUGH_UNDER_WAY) return
    await delay(LOOK_MS)
  }
}

async function untilDrained(ask: Ask, target: Target, since: number, patienceMs: number): Promise<number> {
  for (;;) {
    const { inFlight } = await askUnderWay(ask, target)
    const passed = performance.now() - since
    if (inFlight === 0) return passed
    if (passed > patienceMs) return Number.POSITIVE_INFINITY
    await delay(LOOK_MS)
  }
}

type Started = Pick<Cycle, 'startedHere' | 'startedElsewhere'>

async function askStarted(ask: Ask, target: Target, at: string): Promise<Started> {
  const [row] = await ask<Started>(
    `select count(*) filter (where ${CONCERNED})::int as "startedHere",
            count(*) filter (where not ${CONCERNED})::int as "startedElsewhere"
       from scope_log where kind = 'document.processing' and at > $3::timestamptz`,
    [...bounds(target), at],
  )
  return row ?? { startedHere: 0, startedElsewhere: 0 }
}

function describe({ level, place: { tenantId, scopeId } }: Target, at: string): string {
  const named = { service: '', tenant: ` ${tenantId}`, scope: ` ${tenantId}/${scopeId}` }
  return `${level}${named[level]} paused at ${at}`
}

/**
 * Carries out a plan of pauses. The moment of each answer is by Postgres' clock, which also dates the attempts in the
 * log; whatever began later than that, while the pause lasted, began against it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Level, PlannedCycle, Target } from './cycle-plan.ts'
import type { Ask } from '../../harness/database.ts'
import { poll } from '../../harness/loop.ts'
import type { RootKeys } from '../../harness/places.ts'
import { moveSwitch } from './switches.ts'
import type { Moved } from './switches.ts'

export interface Cycle {
  readonly level: Level
  /** In words, for whoever looks for the reason. */
  readonly what: string
  readonly paused: Moved
  readonly resumed: Moved
  readonly answerMs: number
  /** The attempts under way in the scopes concerned just after the answer, and what waited there and could have begun. */
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

type UnderWay = Pick<Cycle, 'inFlight' | 'waiting'>

async function askUnderWay(ask: Ask, target: Target): Promise<UnderWay> {
  const [row] = await ask<UnderWay>(
    `select count(*) filter (where state = 'processing')::int as "inFlight",
            count(*) filter (where state <> 'processing')::int as waiting
       from work where ${CONCERNED}`,
    bounds(target),
  )
  return row ?? { inFlight: 0, waiting: 0 }
}

/** Waits a little for work to be under way there; a pause that finds none shows less. */
async function aim(ask: Ask, target: Target): Promise<void> {
  await poll(() => askUnderWay(ask, target), {
    until: ({ inFlight }) => inFlight >= ENOUGH_UNDER_WAY,
    withinMs: AIM_MS,
    everyMs: LOOK_MS,
  })
}

async function untilDrained(ask: Ask, target: Target, since: number, withinMs: number): Promise<number> {
  const left = async () => (await askUnderWay(ask, target)).inFlight
  const last = await poll(left, { until: (inFlight) => inFlight === 0, withinMs, everyMs: LOOK_MS })
  return last === 0 ? performance.now() - since : Infinity
}

/** Read as text: a Date has no microseconds, and what happened just before would seem to come after it. */
async function askClock(ask: Ask): Promise<string> {
  const [row] = await ask<{ at: string }>('select clock_timestamp()::text as at')
  if (!row) throw new Error('Postgres did not tell the time.')
  return row.at
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

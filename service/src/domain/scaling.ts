/**
 * How many workers are wanted. Pure: what was measured goes in, a number and its reason come out.
 *
 * The need follows from rates: so many documents come a second, so many does a worker complete when it is busy all the
 * time, and it should not be busier than the target. What waits already counts as if it came within the time it should be
 * gone in. More are wanted at once, since documents wait for them; fewer only when fewer would have done for a good while,
 * since load comes back and a worker takes a moment to come up.
 */

export interface ScalingLimits {
  readonly min: number
  readonly max: number
}

export interface Demand {
  readonly arrivalsPerSecond: number
  /** Documents that may run and do not yet. */
  readonly waiting: number
  /** The number of documents that one worker completes a second when it has all its room taken; null while nobody has completed anything. */
  readonly perWorker: number | null
  /** Room taken of all there is; null while there is none. */
  readonly utilisation: number | null
}

export interface Advice {
  readonly at: number
  readonly needed: number
}

export interface ScalingMemory {
  /** When more were last wanted. */
  readonly grewAt: number | null
  /** The recent needs, oldest first. */
  readonly advice: readonly Advice[]
}

export interface Scaling {
  readonly wanted: number
  /** Null when nothing changes. */
  readonly reason: string | null
  readonly memory: ScalingMemory
}

const TARGET_UTILISATION = 0.7
/** The time within which the backlog should be gone. */
const DRAIN_SECONDS = 10
/** New ones come up first; until then the old measurements still hold, and would be answered twice. */
const GROW_PAUSE_MS = 3_000
/** At most so many times as many at once: a wrong measurement does not fill the machine. */
const GROWTH = 4
/** Fewer only when fewer would have done for as long as this. */
const CALM_MS = 20_000
/** Fewer are wanted only if what is left stays this far below the target, so that it does not come back at once. */
const SLACK = 0.85

export const NO_MEMORY: ScalingMemory = { grewAt: null, advice: [] }

export function decideScaling(
  now: number,
  wanted: number,
  demand: Demand,
  limits: ScalingLimits,
  memory: ScalingMemory = NO_MEMORY,
): Scaling {
  const needed = clamp(neededFor(demand, wanted), limits)
  const advice = [...memory.advice.filter(({ at }) => now - at <= CALM_MS), { at: now, needed }]
  const stay = { wanted, reason: null, memory: { grewAt: memory.grewAt, advice } }

  const bounded = clamp(wanted, limits)
  if (bounded !== wanted)
    return { ...stay, wanted: bounded, reason: `limits: ${limits.min} to ${limits.max}` }
  // @point scaling.grow
  if (needed > wanted) {
    if (memory.grewAt !== null && now - memory.grewAt < GROW_PAUSE_MS) return stay
    const grown = Math.min(needed, Math.max(wanted, 1) * GROWTH)
    return { wanted: grown, reason: describe('more', demand), memory: { grewAt: now, advice } }
  }
  const calmSince = memory.advice[0]?.at ?? now
  const enough = Math.max(...advice.map((each) => each.needed))
  if (enough >= wanted || now - calmSince < CALM_MS * 0.95) return stay
  // Recent needs are judged anew with some slack, or the next busy second would ask for them again.
  const eased = clamp(neededFor(demand, wanted, TARGET_UTILISATION * SLACK), limits)
  const fewer = Math.max(enough, eased)
  if (fewer >= wanted) return stay
  return { wanted: fewer, reason: describe('fewer', demand), memory: { grewAt: memory.grewAt, advice: [] } }
}

function neededFor(demand: Demand, wanted: number, target = TARGET_UTILISATION): number {
  const { arrivalsPerSecond, waiting, perWorker, utilisation } = demand
  const isBusy = utilisation !== null && utilisation >= target
  // Nothing waits, and those there are have room: what comes may not run, or is gone already.
  const ceiling = waiting === 0 && !isBusy ? wanted : Infinity
  // Nobody knows yet what a worker can do.
  if (perWorker === null) return waiting > 0 ? wanted + (isBusy ? 1 : 0) : 0
  const load = arrivalsPerSecond + waiting / DRAIN_SECONDS
  return Math.min(ceiling, Math.ceil(load / (perWorker * target)))
}

function describe(
  what: 'more' | 'fewer',
  { arrivalsPerSecond, waiting, perWorker, utilisation }: Demand,
): string {
  const figures = [
    `${rounded(arrivalsPerSecond)}/s arrive`,
    `${waiting} wait`,
    perWorker === null ? 'nobody has completed any' : `a worker completes ${rounded(perWorker)}/s`,
    utilisation === null ? 'none is up' : `${Math.round(utilisation * 100)} % of the room is taken`,
  ]
  return `${what} needed: ${figures.join(', ')}`
}

function rounded(rate: number): number {
  return rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate)
}

function clamp(value: number, { min, max }: ScalingLimits): number {
  return Math.min(max, Math.max(min, value))
}

/** One host that could have some of them. */
export interface Host extends ScalingLimits {
  readonly id: string
}

/** Shares workers among hosts: each gets its minimum, then the one that has fewest gets the next, as long as it has room. */
export function shareOut(total: number, hosts: readonly Host[]): ReadonlyMap<string, number> {
  const inOrder = hosts.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const shares = new Map(inOrder.map(({ id, min }) => [id, min]))
  const sharesOf = (id: string) => shares.get(id) ?? 0
  for (let left = total - inOrder.reduce((sum, { min }) => sum + min, 0); left > 0; left -= 1) {
    const [next] = inOrder
      .filter(({ id, max }) => sharesOf(id) < max)
      .toSorted((a, b) => sharesOf(a.id) - sharesOf(b.id))
    if (!next) break
    shares.set(next.id, sharesOf(next.id) + 1)
  }
  return shares
}

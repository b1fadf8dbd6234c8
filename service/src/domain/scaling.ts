/**
 * Decides how many workers are wanted. Pure: the input is measurements, the output a number and its reason.
 *
 * The need follows from two rates, the arrivals a second and the documents that a fully busy worker completes a second,
 * and from the target utilisation. The backlog counts as arrivals over the time in which it should be gone. The number
 * grows at once, because documents wait. It shrinks only when fewer workers would have been enough for a while, because
 * load comes back and workers take time to start.
 */

export interface ScalingLimits {
  readonly min: number
  readonly max: number
}

export interface Demand {
  readonly arrivalsPerSecond: number
  /** The backlog of documents that may run. */
  readonly waiting: number
  /** The documents that a fully busy worker completes a second; null before the first completion. */
  readonly perWorker: number | null
  /** The used share of the capacity; null without workers. */
  readonly utilisation: number | null
}

export interface Advice {
  readonly at: number
  readonly needed: number
}

export interface ScalingMemory {
  /** The time of the last growth. */
  readonly grewAt: number | null
  /** The recent needs, oldest first. */
  readonly advice: readonly Advice[]
}

export interface Scaling {
  readonly wanted: number
  /** Null if nothing changes. */
  readonly reason: string | null
  readonly memory: ScalingMemory
}

const TARGET_UTILISATION = 0.7
/** The time within which the backlog should be gone. */
const DRAIN_SECONDS = 10
/** After growth, wait for the new workers to start: until then the measurements would cause the same growth again. */
const GROW_PAUSE_MS = 3_000
/** The maximum factor of one growth, so that a wrong measurement does not fill the machine. */
const GROWTH = 4
/** The number shrinks only if fewer workers would have been enough for this long. */
const CALM_MS = 20_000
/**
 * The number shrinks only if the utilisation then stays this far below the target, so that it does not grow again at
 * once.
 */
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
  // Recent needs get some slack; otherwise the next busy second would need the workers again.
  const eased = clamp(neededFor(demand, wanted, TARGET_UTILISATION * SLACK), limits)
  const fewer = Math.max(enough, eased)
  if (fewer >= wanted) return stay
  return { wanted: fewer, reason: describe('fewer', demand), memory: { grewAt: memory.grewAt, advice: [] } }
}

function neededFor(demand: Demand, wanted: number, target = TARGET_UTILISATION): number {
  const { arrivalsPerSecond, waiting, perWorker, utilisation } = demand
  const isBusy = utilisation !== null && utilisation >= target
  // Nothing waits and the workers have free capacity: the new documents may not run, or are done already.
  const ceiling = waiting === 0 && !isBusy ? wanted : Infinity
  // The speed of a worker is not known yet.
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

/** A host that can run workers. */
export interface Host extends ScalingLimits {
  readonly id: string
}

/**
 * Distributes workers over hosts: each host gets its minimum, and then the host with the fewest workers gets the next,
 * up to its maximum.
 */
export function distributeWorkers(total: number, hosts: readonly Host[]): ReadonlyMap<string, number> {
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

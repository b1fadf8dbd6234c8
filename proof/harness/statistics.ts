/** The little arithmetic that turns samples into figures. */

/** The value below which the share of all values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

export function sumOf<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return sum(items.map(read))
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

export interface Interval {
  readonly low: number
  readonly high: number
}

const RESAMPLES = 400

/** Between which bounds the median lies with 95 % confidence, by drawing the samples anew (bootstrap). */
export function medianInterval(values: readonly number[], random: () => number): Interval {
  const redraw = () =>
    Float64Array.from(values, () => values[Math.floor(random() * values.length)] ?? 0).toSorted()
  const medians = Array.from({ length: RESAMPLES }, () => middle(redraw()))
  return { low: percentile(medians, 0.025), high: percentile(medians, 0.975) }
}

function middle(sorted: Float64Array): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function pick<Value>(values: readonly [Value, ...Value[]], random: () => number): Value
export function pick<Value>(values: readonly Value[], random: () => number): Value | undefined
export function pick<Value>(values: readonly Value[], random: () => number): Value | undefined {
  return values[Math.floor(random() * values.length)]
}

export function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

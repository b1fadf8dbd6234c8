/**
 * The metrics of a process: plain numbers, counted where things happen and read only at a scrape. The values of a label
 * are a closed set. A tenant, a scope, a document or anything from a request is never a label.
 */

export type MetricLabels = Readonly<Record<string, string>>

export interface MetricSample {
  readonly value: number
  readonly labels?: MetricLabels
}

/** A counter only grows while the process runs; a gauge is the current value. */
export interface NumberMetric {
  readonly kind: 'counter' | 'gauge'
  readonly name: string
  readonly help: string
  readonly read: () => readonly MetricSample[] | Promise<readonly MetricSample[]>
}

export interface HistogramSample {
  readonly histogram: Histogram
  readonly labels?: MetricLabels
}

export interface HistogramMetric {
  readonly kind: 'histogram'
  readonly name: string
  readonly help: string
  readonly read: () => readonly HistogramSample[]
}

export type Metric = NumberMetric | HistogramMetric

export interface Histogram {
  /** The upper bounds of the buckets, ascending. One more bucket has the values above the last bound. */
  readonly bounds: readonly number[]
  /** The number of values in each bucket; one more than there are bounds. */
  readonly counts: readonly number[]
  readonly sum: () => number
  observe(value: number): void
}

/** From 1 ms to the longest time that a caller would wait. */
export const SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** `observe` compares a few bounds: it was measured at 40 ns, where a histogram of the library takes 1 to 2 µs. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0)
  let sum = 0
  return {
    bounds,
    counts,
    sum: () => sum,
    observe(value) {
      let bucket = 0
      while (bucket < bounds.length && value > (bounds[bucket] ?? Infinity)) bucket += 1
      counts[bucket] = (counts[bucket] ?? 0) + 1
      sum += value
    },
  }
}

/** A metric with one number and no labels. */
export function numberMetric(
  kind: NumberMetric['kind'],
  name: string,
  help: string,
  read: () => number,
): NumberMetric {
  return { kind, name, help, read: () => [{ value: read() }] }
}

/** Returns one sample for each value of a label. */
export function labelled(label: string, values: Readonly<Record<string, number>>): MetricSample[] {
  return Object.entries(values).map(([name, value]) => ({ value, labels: { [label]: name } }))
}

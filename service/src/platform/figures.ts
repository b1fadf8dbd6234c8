/**
 * Figures that a process keeps of itself: plain numbers, counted where things happen and looked at only when somebody
 * asks. Labels are closed sets; a tenant, a scope, a document or anything that was sent is never one.
 */

export type FigureLabels = Readonly<Record<string, string>>

export interface FigureSample {
  readonly value: number
  readonly labels?: FigureLabels
}

/** A counter only grows while the process lives; a gauge is what is true now. */
export interface NumberFigure {
  readonly kind: 'counter' | 'gauge'
  readonly name: string
  readonly help: string
  readonly read: () => readonly FigureSample[] | Promise<readonly FigureSample[]>
}

export interface HistogramSample {
  readonly histogram: Histogram
  readonly labels?: FigureLabels
}

export interface HistogramFigure {
  readonly kind: 'histogram'
  readonly name: string
  readonly help: string
  readonly read: () => readonly HistogramSample[]
}

export type Figure = NumberFigure | HistogramFigure

export interface Histogram {
  /** Upper bounds, ascending; what is above the last falls into one more bucket. */
  readonly bounds: readonly number[]
  /** How many fell into each bucket, one more than there are bounds. */
  readonly counts: readonly number[]
  readonly sum: () => number
  observe(value: number): void
}

/** From a millisecond to what a caller would give up on. */
export const SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** A look at a few bounds: measured at 40 ns, where a recorded measurement of the library takes 1 to 2 µs. */
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

/** One number under a name, without labels. */
export function numberFigure(
  kind: NumberFigure['kind'],
  name: string,
  help: string,
  read: () => number,
): NumberFigure {
  return { kind, name, help, read: () => [{ value: read() }] }
}

/** A number for each member of a closed set. */
export function labelled(label: string, values: Readonly<Record<string, number>>): FigureSample[] {
  return Object.entries(values).map(([name, value]) => ({ value, labels: { [label]: name } }))
}

/** The floors and ceilings: a figure below its floor, or above its ceiling, ends a run with 1. */
import { showRatio } from './print.ts'

export interface Bound {
  readonly min?: number
  readonly max?: number
}

/** By set, then by figure. */
export type Floors = Readonly<Record<string, Readonly<Record<string, Bound>>>>

export type QualityFigures = ReadonlyMap<string, Readonly<Record<string, number | null>>>

/** Figures of sets that were not measured are not asked for; one that is missing from a measured set is a miss. */
export function missedFloors(floors: Floors, figures: QualityFigures): readonly string[] {
  return Object.entries(floors).flatMap(([set, bounds]) => {
    const measured = figures.get(set)
    if (measured === undefined) return []
    return Object.entries(bounds).flatMap(([name, bound]) => {
      const value = measured[name] ?? null
      const held = value !== null && value >= (bound.min ?? -Infinity) && value <= (bound.max ?? Infinity)
      const wanted = bound.min === undefined ? `at most ${bound.max}` : `at least ${bound.min}`
      return held ? [] : [`${set} ${name} is ${showRatio(value)}, must be ${wanted}`]
    })
  })
}

export function showFigures(figures: Readonly<Record<string, number | null>>): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${Number.isInteger(value) ? value : showRatio(value)}`)
    .join(', ')
}

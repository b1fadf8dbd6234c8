/** Everything random in a simulated world comes from here, so that a seed repeats all of it. */
import { seededRandom } from './statistics.ts'

export interface Chance {
  /** From 0 to 1. */
  number(): number
  /** Whole, both ends included. */
  between(low: number, high: number): number
  happens(probability: number): boolean
  oneOf<Value>(values: readonly [Value, ...Value[]]): Value
  pick<Value>(values: readonly Value[]): Value | undefined
}

export function createChance(seed: number): Chance {
  const number = seededRandom(seed)
  const between = (low: number, high: number) => low + Math.floor(number() * (high - low + 1))
  return {
    number,
    between,
    happens: (probability) => number() < probability,
    oneOf: (values) => values[between(0, values.length - 1)] ?? values[0],
    pick: (values) => values[between(0, values.length - 1)],
  }
}

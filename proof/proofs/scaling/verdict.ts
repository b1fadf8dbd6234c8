/** Judges the sights of a load step. Pure. */
import type { Sight } from '../../harness/sights.ts'

type Scaled = Pick<Sight, 'at' | 'wanted' | 'running'>

export interface Phases {
  /** Seconds at which ten times the load began and ended. */
  readonly stepAt: number
  readonly stepEndAt: number
}

export function judgeScaling(sights: readonly Scaled[], { stepAt, stepEndAt }: Phases) {
  const before = lastBefore(sights, stepAt)?.wanted ?? 0
  const needed = lastBefore(sights, stepEndAt)?.wanted ?? 0
  const after = (from: number, isMeant: (sight: Scaled) => boolean, until = Infinity) => {
    const found = sights.find((sight) => sight.at >= from && sight.at < until && isMeant(sight))
    return found ? found.at - from : Infinity
  }
  return {
    before,
    /** The number of workers when the step had lasted: no more was wanted, and it kept up. */
    needed,
    /** From the step until so many ran; infinite if never. */
    secondsToReach: after(stepAt, ({ running }) => running >= needed, stepEndAt),
    /** How often the number wanted turned from growing to shrinking or back. */
    reversals: countReversals(sights.map(({ wanted }) => wanted)),
    /** From the end of the step until no more were wanted than before it; infinite if never. */
    secondsToReturn: after(stepEndAt, ({ wanted }) => wanted <= before),
    /** From the end of the step until fewer were wanted. */
    secondsToShrink: after(stepEndAt, ({ wanted }) => wanted < needed),
  }
}

function lastBefore(sights: readonly Scaled[], at: number): Scaled | undefined {
  return sights.findLast((sight) => sight.at < at)
}

export function countReversals(numbers: readonly number[]): number {
  const directions = numbers
    .map((number, index) => Math.sign(number - (numbers[index - 1] ?? number)))
    .filter((direction) => direction !== 0)
  return directions.filter((direction, index) => index > 0 && direction !== directions[index - 1]).length
}

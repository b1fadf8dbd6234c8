/** What the sights of a load step show. Pure. */
import type { Sight } from '../../harness/sights.ts'

type Scaled = Pick<Sight, 'at' | 'wanted' | 'running'>

export interface Phases {
  /** Seconds at which ten times the load began and ended. */
  readonly stepAt: number
  readonly stepEndAt: number
}

export interface ScalingVerdict {
  readonly before: number
  /** What ran when the step had lasted: no more was wanted, and it kept up. */
  readonly needed: number
  /** From the step until so many ran; infinite if never. */
  readonly secondsToReach: number
  /** How often the number wanted turned from growing to shrinking or back. */
  readonly reversals: number
  /** From the end of the step until no more were wanted than before it; infinite if never. */
  readonly secondsToReturn: number
  /** From the end of the step until fewer were wanted. */
  readonly secondsToShrink: number
}

export function judgeScaling(sights: readonly Scaled[], { stepAt, stepEndAt }: Phases): ScalingVerdict {
  const before = lastBefore(sights, stepAt)?.wanted ?? 0
  const needed = lastBefore(sights, stepEndAt)?.wanted ?? 0
  const during = sights.filter(({ at }) => at >= stepAt && at < stepEndAt)
  const after = sights.filter(({ at }) => at >= stepEndAt)
  const until = (from: number, found: Scaled | undefined) => (found ? found.at - from : Infinity)
  return {
    before,
    needed,
    secondsToReach: until(
      stepAt,
      during.find(({ running }) => running >= needed),
    ),
    reversals: countReversals(sights.map(({ wanted }) => wanted)),
    secondsToReturn: until(
      stepEndAt,
      after.find(({ wanted }) => wanted <= before),
    ),
    secondsToShrink: until(
      stepEndAt,
      after.find(({ wanted }) => wanted < needed),
    ),
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

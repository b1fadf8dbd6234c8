/**
 * How long the slow lane rests between two tasks while others want to be read. Giving way is not enough: what a runaway
 * does to caches, memory and the kernel costs its neighbours, whatever its priority. So it works a small part of the
 * time, and all of the time once nobody is disturbed or so many wait that they would soon be in the way themselves.
 */
export interface Rest {
  /** Asked whenever there is room for a task, so the first time after a task is when that has ended. */
  mayBegin(): boolean
  noteBegin(): void
}

export interface RestOptions {
  /** Others want to be read. */
  isWanted(): boolean
  /** True when too many jobs wait for the slow lane to let it rest. */
  isCrowded(): boolean
  now(): number
}

/** The rest, in times of the work before it. */
const REST_TIMES = 19

export function createRest({ isWanted, isCrowded, now }: RestOptions): Rest {
  let begunAt: number | undefined
  let restUntil = 0
  return {
    mayBegin() {
      if (begunAt !== undefined) {
        restUntil = now() + REST_TIMES * (now() - begunAt)
        begunAt = undefined
      }
      return now() >= restUntil || isCrowded() || !isWanted()
    },
    noteBegin() {
      begunAt = now()
    },
  }
}

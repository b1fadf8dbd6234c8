/** A clock that moves only when it is told to. */

export interface TestClock {
  now(): number
  advance(ms: number): void
}

export function createClock(startMs = 1_000): TestClock {
  let now = startMs
  return { now: () => now, advance: (ms) => void (now += ms) }
}

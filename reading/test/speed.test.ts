import { describe, expect, it } from 'vitest'
import { readStructure } from '../src/structure.ts'
import { hostile, ordinary } from './support/hostile.ts'

/**
 * Processor time of this thread, not the clock: other work on the machine must not fail a test. Its grain is coarse, so
 * that a figure is taken over many readings.
 */
function milliseconds(text: string, readings: number): number {
  const start = process.threadCpuUsage()
  for (let reading = 0; reading < readings; reading += 1) readStructure(text)
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000 / readings
}

const sizes = [10_000, 100_000, 400_000] as const
/** Each size gets the same amount of text in all. */
const amount = 400_000

function costs(make: (length: number) => string): number[] {
  return sizes.map((size) => milliseconds(flat(make(size)), Math.ceil(amount / size)))
}

/** Strings put together from pieces are slower to read at first; texts that came over a wire are not. */
function flat(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

/** How much more than ten and four times as long the longer text takes; 1 is linear. */
function growth([small = 0, middle = 0, large = 0]: readonly number[]): number {
  // Below a tenth of a millisecond per 10,000 characters the grain of the counter is all there is to see.
  const floor = (cost: number, size: number) => Math.max(cost, size / 100_000)
  const [a, b, c] = [floor(small, sizes[0]), floor(middle, sizes[1]), floor(large, sizes[2])]
  return Math.max(b / a / 10, c / b / 4)
}

interface Result {
  readonly costs: readonly number[]
  readonly growth: number
}

/**
 * The attempt that grew least: what is quadratic grows by 4 or more in every attempt, and what another process disturbed
 * does not. Costs of different attempts are not mixed, because the processor changes its pace between them.
 */
function measured(make: (length: number) => string): Result {
  let best: Result | undefined
  for (let attempt = 0; attempt < 10 && (best === undefined || best.growth > 1.5); attempt += 1) {
    const all = costs(make)
    if (best === undefined || growth(all) < best.growth) best = { costs: all, growth: growth(all) }
  }
  if (best === undefined) throw new Error('nothing was measured')
  return best
}

function figures(name: string, { costs: all, growth: factor }: Result): string {
  const speed = 0.4 / ((all[2] ?? 1) / 1000)
  const times = all.map((cost) => cost.toFixed(2).padStart(8)).join('')
  return `${name.padEnd(40)}${times} ms  growth ${factor.toFixed(2)}  ${speed.toFixed(1)} MB/s\n`
}

describe('reading takes time in proportion to the text: 10,000, 100,000 and 400,000 characters within 1.5 times', () => {
  for (const [name, make] of Object.entries({ ...ordinary, ...hostile })) {
    it(`for ${name}`, { timeout: 120_000 }, () => {
      const result = measured(make)
      process.stdout.write(figures(name, result))
      expect(result.growth).toBeLessThanOrEqual(1.5)
    })
  }
})

describe('the measure itself', () => {
  it('tells linear from quadratic', () => {
    expect(growth([1, 10, 40])).toBe(1)
    expect(growth([1, 100, 1600])).toBe(10)
  })
})

describe('reading is quick', () => {
  for (const [name, make] of Object.entries(ordinary)) {
    // Twice as fast where nobody else wants the processor.
    it(`at 2.5 MB or more a second for ${name}`, { timeout: 120_000 }, () => {
      const text = flat(make(100_000))
      const speeds = Array.from({ length: 5 }, () => 0.1 / (milliseconds(text, 20) / 1000))
      process.stdout.write(`${name.padEnd(40)} ${Math.max(...speeds).toFixed(1)} MB/s\n`)
      expect(Math.max(...speeds)).toBeGreaterThanOrEqual(2.5)
    })
  }
})

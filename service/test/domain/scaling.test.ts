import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { decideScaling, NO_MEMORY, distributeWorkers } from '../../src/domain/scaling.ts'
import type { Demand, ScalingMemory } from '../../src/domain/scaling.ts'

const limits = { min: 1, max: 20 }
const calm: Demand = { arrivalsPerSecond: 0, waiting: 0, perWorker: 50, utilisation: 0 }

interface Step {
  readonly second: number
  readonly wanted: number
}

/** Workers that complete 50 a second each, come up two seconds after they are wanted, and a queue in front of them. */
function simulate(arrivals: (second: number) => number, seconds: number): Step[] {
  const steps: Step[] = []
  let wanted = 1
  let memory: ScalingMemory = NO_MEMORY
  let waiting = 0
  const history = [1, 1]
  for (let second = 0; second < seconds; second += 1) {
    const running = history[0] ?? 1
    const offered = waiting + arrivals(second)
    const done = Math.min(offered, running * 50)
    waiting = offered - done
    const demand = {
      arrivalsPerSecond: arrivals(second),
      waiting,
      perWorker: 50,
      utilisation: done / (running * 50),
    }
    const scaling = decideScaling(second * 1_000, wanted, demand, limits, memory)
    ;({ wanted, memory } = scaling)
    history.push(wanted)
    history.shift()
    steps.push({ second, wanted })
  }
  return steps
}

const turnsOf = (steps: readonly Step[]) => {
  const directions = steps
    .map(({ wanted }, index) => Math.sign(wanted - (steps[index - 1]?.wanted ?? wanted)))
    .filter((direction) => direction !== 0)
  return directions.filter((direction, index) => index > 0 && direction !== directions[index - 1]).length
}

describe('ten times the load', () => {
  // 25 documents a second need one worker, 250 need 8 at 70 %.
  const steps = simulate((second) => (second >= 30 && second < 120 ? 250 : 25), 240)
  const at = (second: number) => steps[second]?.wanted

  it('has what it needs within fifteen seconds', () => {
    expect(at(29)).toBe(1)
    expect(at(44)).toBeGreaterThanOrEqual(8)
  })
  it('turns once, when the load is over, and comes all the way back', () => {
    expect(turnsOf(steps)).toBe(1)
    expect(at(119)).toBeGreaterThanOrEqual(8)
    expect(at(239)).toBe(1)
  })
})

it('does not follow a load that swings around what it has', () => {
  const steps = simulate((second) => (second % 10 < 5 ? 100 : 140), 200)
  expect(turnsOf(steps)).toBeLessThanOrEqual(1)
})

describe('more are wanted', () => {
  it('at once, with a reason that tells the figures', () => {
    const scaling = decideScaling(
      0,
      1,
      { ...calm, arrivalsPerSecond: 100, waiting: 40, utilisation: 1 },
      limits,
    )
    expect(scaling.wanted).toBe(3)
    expect(scaling.reason).toBe(
      'more needed: 100/s arrive, 40 wait, a worker completes 50/s, 100 % of the room is taken',
    )
  })
  it('not again before the new ones can be there', () => {
    const busy = { ...calm, arrivalsPerSecond: 1_000, waiting: 500, utilisation: 1 }
    const first = decideScaling(10_000, 1, busy, limits)
    expect(first.wanted).toBe(4)
    expect(decideScaling(12_000, 4, busy, limits, first.memory)).toMatchObject({ wanted: 4, reason: null })
    expect(decideScaling(13_000, 4, busy, limits, first.memory).wanted).toBe(16)
  })
  it('for a backlog alone, and one by one while nobody knows what a worker can do', () => {
    const backlog = { ...calm, waiting: 1_000, utilisation: 1 }
    expect(decideScaling(0, 1, backlog, limits).wanted).toBe(3)
    expect(decideScaling(0, 1, { ...backlog, perWorker: null }, limits).wanted).toBe(2)
  })
  it('not for what comes and may not run', () => {
    const held = { ...calm, arrivalsPerSecond: 1_000, waiting: 0, utilisation: 0.1 }
    expect(decideScaling(0, 1, held, limits)).toMatchObject({ wanted: 1, reason: null })
  })
})

describe('the limits', () => {
  it('hold whatever is measured', () => {
    fc.assert(
      fc.property(anyDemand, fc.nat(50), fc.nat(10), fc.nat(10), (demand, wanted, min, more) => {
        const bounds = { min, max: min + more }
        const scaling = decideScaling(0, wanted, demand, bounds)
        expect(scaling.wanted).toBeGreaterThanOrEqual(bounds.min)
        expect(scaling.wanted).toBeLessThanOrEqual(bounds.max)
        // A change has a reason, what has none does not change.
        expect(scaling.reason === null).toBe(scaling.wanted === wanted)
      }),
    )
  })
})

const anyDemand = fc.record({
  arrivalsPerSecond: fc.double({ min: 0, max: 1e5, noNaN: true }),
  waiting: fc.nat(10_000),
  perWorker: fc.option(fc.double({ min: 0.01, max: 1e4, noNaN: true })),
  utilisation: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
})

describe('sharing out', () => {
  const hosts = fc.uniqueArray(
    fc.record({ id: fc.string({ minLength: 1 }), min: fc.nat(3), room: fc.nat(5) }),
    { selector: ({ id }) => id, maxLength: 6 },
  )
  it('gives all there is to give, nobody beyond its limits, and no two with room more than one apart', () => {
    fc.assert(
      fc.property(fc.nat(40), hosts, (total, drawn) => {
        const all = drawn.map(({ id, min, room }) => ({ id, min, max: min + room }))
        const shares = distributeWorkers(total, all)
        const sum = [...shares.values()].reduce((a, b) => a + b, 0)
        const least = all.reduce((a, { min }) => a + min, 0)
        const most = all.reduce((a, { max }) => a + max, 0)
        expect(sum).toBe(Math.min(most, Math.max(least, total)))
        for (const { id, min, max } of all) {
          expect(shares.get(id)).toBeGreaterThanOrEqual(min)
          expect(shares.get(id)).toBeLessThanOrEqual(max)
        }
      }),
    )
    expect([...distributeWorkers(5, [host('b'), host('a')])]).toEqual([
      ['a', 3],
      ['b', 2],
    ])
  })
  const host = (id: string) => ({ id, min: 1, max: 10 })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { createPresence } from '../../../src/app/health/presence.ts'
import type { Presence } from '../../../src/app/health/presence.ts'
import { createWorkMeter } from '../../../src/app/processing/work-meter.ts'
import type { WorkMeter } from '../../../src/app/processing/work-meter.ts'
import { createClock } from '../../support/clock.ts'
import type { TestClock } from '../../support/clock.ts'
import { heartbeat } from '../../support/heartbeat.ts'

let clock: TestClock
let presence: Presence
let meter: WorkMeter
let arrivals: number

beforeEach(() => {
  clock = createClock()
  presence = createPresence(clock.now)
  arrivals = 1_000
  meter = createWorkMeter({
    presence,
    readWork: async () => ({ arrivals, waiting: 7, oldestWaitMs: 90 }),
    monotonicMs: clock.now,
  })
})

/** A worker with room for four, as it speaks at the time of the clock. */
function beat(id: string, processed: number, busyMs: number): void {
  const said = heartbeat({
    id,
    saidAt: clock.now(),
    state: 'busy',
    inFlight: 4,
    processed,
    capacity: 4,
    busyMs,
  })
  presence.record(JSON.stringify(said))
}

/** A second at a time: so many arrive, and each worker has done so much in all. */
async function second(coming: number, ...workers: [string, number, number][]): Promise<void> {
  clock.advance(1_000)
  arrivals += coming
  for (const [id, processed, busyMs] of workers) beat(id, processed, busyMs)
  await meter.sample()
}

describe('the meter', () => {
  it('reports nothing after one measurement', async () => {
    expect(meter.read()).toBeUndefined()
    await meter.sample()
    expect(meter.read()).toBeUndefined()
  })

  it('reports arrivals per second, and what a worker could process at full capacity', async () => {
    await second(0, ['a', 100, 0])
    // Half its room for a second, and ten completed: it could do twenty.
    await second(30, ['a', 110, 2_000])
    await second(30, ['a', 120, 4_000])
    expect(meter.read()).toEqual({
      arrivalsPerSecond: 30,
      waiting: 7,
      oldestWaitMs: 90,
      perWorker: 20,
      utilisation: 0.5,
      ageMs: 0,
    })
  })

  it('sums over the workers, and is not misled when one starts or stops', async () => {
    await second(0, ['a', 0, 0], ['b', 500, 90_000])
    await second(0, ['a', 10, 4_000], ['b', 510, 94_000])
    expect(meter.read()).toMatchObject({ perWorker: 10, utilisation: 1 })
    // b is gone for good, c has just come up and counts from now on.
    clock.advance(61_000)
    await second(0, ['a', 20, 8_000], ['c', 3, 100])
    await second(0, ['a', 30, 12_000], ['c', 13, 4_100])
    expect(meter.read()?.perWorker).toBeCloseTo(10, 5)
  })

  it('reports nothing for an idle worker, and forgets old arrivals', async () => {
    await second(500, ['a', 0, 0])
    for (let i = 0; i < 8; i += 1) await second(0, ['a', 0, 0])
    expect(meter.read()).toMatchObject({ arrivalsPerSecond: 0, perWorker: null, utilisation: 0 })
  })

  it('adapts to slower work within seconds', async () => {
    let busy = 0
    let processed = 0
    await second(0, ['a', 0, 0])
    for (let i = 0; i < 30; i += 1) await second(0, ['a', (processed += 50), (busy += 4_000)])
    expect(meter.read()?.perWorker).toBeCloseTo(50, 0)
    for (let i = 0; i < 15; i += 1) await second(0, ['a', (processed += 10), (busy += 4_000)])
    expect(meter.read()?.perWorker).toBeLessThan(25)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createReadiness } from '../../../src/app/health/readiness.ts'
import type { ReadinessProbe, Readiness } from '../../../src/app/health/readiness.ts'
import { createClock } from '../../support/clock.ts'
import type { TestClock } from '../../support/clock.ts'

type Behaviour = 'answers' | 'fails' | 'hangs'

let clock: TestClock
let behaviour: Record<string, Behaviour>
let asked: string[]
let readiness: Readiness | undefined

/** A probe that behaves as the test says at the moment. */
function probe(name: string, required: boolean): ReadinessProbe {
  return {
    name,
    required,
    async check() {
      asked.push(name)
      if (behaviour[name] === 'fails') throw new Error('away')
      if (behaviour[name] === 'hangs') await new Promise(() => undefined)
    },
  }
}

beforeEach(() => {
  // Both clocks move together, so that a second of the test is a second for the timers too.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  clock = createClock()
  asked = []
  behaviour = { database: 'answers', broker: 'answers' }
})

afterEach(async () => {
  await readiness?.stop()
  readiness = undefined
  vi.useRealTimers()
})

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(1_000)
    await vi.advanceTimersByTimeAsync(1_000)
  }
}

async function start(): Promise<Readiness> {
  readiness = createReadiness([probe('database', true), probe('broker', false)], clock.now)
  await readiness.start()
  return readiness
}

describe('readiness', () => {
  it('is red before the first probes have answered', () => {
    const early = createReadiness([probe('database', true)], clock.now)
    expect(early.read()).toMatchObject({ status: 'unavailable', checks: [{ name: 'database', ok: false }] })
  })

  it('is green as soon as the start returns, if every part answers', async () => {
    expect((await start()).read()).toEqual({
      status: 'ok',
      checks: [
        { name: 'database', ok: true, required: true, ageMs: 0 },
        { name: 'broker', ok: true, required: false, ageMs: 0 },
      ],
    })
  })

  it('is red while a required part is unavailable, and green when it is back', async () => {
    const { read } = await start()
    behaviour['database'] = 'fails'
    await pass(1)
    expect(read().status).toBe('unavailable')
    behaviour['database'] = 'answers'
    await pass(1)
    expect(read().status).toBe('ok')
  })

  it('is degraded, not red, while an optional part is unavailable', async () => {
    const { read } = await start()
    behaviour['broker'] = 'fails'
    await pass(1)
    expect(read().status).toBe('degraded')
    expect(read().checks).toContainEqual(expect.objectContaining({ name: 'broker', ok: false }))
  })

  it('turns red when a probe hangs, instead of staying green on its last answer', async () => {
    const { read } = await start()
    behaviour['database'] = 'hangs'
    await pass(4)
    expect(read().status).toBe('ok')
    await pass(2)
    expect(read().status).toBe('unavailable')
    expect(read().checks[0]).toMatchObject({ ok: false, ageMs: 6_000 })
  })

  it('does not pile up probes of a part that hangs', async () => {
    await start()
    behaviour['database'] = 'hangs'
    await pass(10)
    expect(asked.filter((name) => name === 'database')).toHaveLength(2)
  })

  it('is answered without probing the parts', async () => {
    const { read } = await start()
    for (let time = 0; time < 1_000; time += 1) read()
    expect(asked).toEqual(['database', 'broker'])
  })

  it('is red from the moment it drains, whatever the probes answer', async () => {
    const { read, drain, isDraining } = await start()
    expect(isDraining()).toBe(false)
    drain()
    expect(isDraining()).toBe(true)
    expect(read().status).toBe('unavailable')
    await pass(2)
    expect(read().status).toBe('unavailable')
  })

  it('does not probe once stopped, and can be stopped twice', async () => {
    const { stop } = await start()
    await stop()
    await stop()
    await pass(3)
    expect(asked).toHaveLength(2)
  })
})

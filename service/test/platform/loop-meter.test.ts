import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { createLoopMeter } from '../../src/platform/loop-meter.ts'
import type { LoopMeter } from '../../src/platform/loop-meter.ts'
import { createMemoryLog } from '../support/log.ts'
import type { MemoryLog } from '../support/log.ts'

const monotonicMs = () => performance.now()
let meter: LoopMeter
let memory: MemoryLog

beforeEach(async () => {
  memory = createMemoryLog()
  meter = createLoopMeter(150, monotonicMs, memory.log)
  await meter.start()
})
afterEach(() => meter.stop())

/** The effect of a body that takes long to read on everybody else. */
function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('the meter of the event loop', () => {
  it('does not call one long pause late', async () => {
    block(600)
    await nextTurn()
    await nextTurn()
    expect(meter.isLate()).toBe(false)
  })

  it('is late once the loop is held up again and again, and soon not any more', async () => {
    for (let time = 0; time < 8 && !meter.isLate(); time += 1) {
      block(400)
      await nextTurn()
    }
    expect(meter.isLate()).toBe(true)
    await waitUntil(() => !meter.isLate(), {
      what: 'the meter to see that the loop is free',
      withinMs: 5_000,
    })
    expect(memory.lines().map(({ level, msg }) => `${String(level)}: ${String(msg)}`)).toEqual([
      'warn: the event loop is late: documents are refused for now',
      'info: the event loop is in time again',
    ])
  })

  it('never is where no bound is given', async () => {
    const patient = createLoopMeter(Infinity, monotonicMs, memory.log)
    await patient.start()
    for (let time = 0; time < 5; time += 1) {
      block(250)
      await nextTurn()
    }
    expect(patient.isLate()).toBe(false)
    await patient.stop()
  })
})

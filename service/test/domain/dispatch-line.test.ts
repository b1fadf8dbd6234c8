import { describe, expect, it } from 'vitest'
import { lineFor, noteReleased, STILL } from '../../src/domain/dispatch-line.ts'
import type { Flow } from '../../src/domain/dispatch-line.ts'

/** So many a second for a while, in equal steps. */
function flowOf(perSecond: number, { seconds = 10, stepMs = 10 } = {}, start: Flow = STILL): Flow {
  let flow = start
  for (let step = 1; step <= (seconds * 1_000) / stepMs; step += 1)
    flow = noteReleased(flow, start.at + step * stepMs, (perSecond * stepMs) / 1_000)
  return flow
}

describe('the flow', () => {
  it.each([10, 50, 200])('is what is released a second, in steps of %i ms', (stepMs) => {
    expect(flowOf(1_000, { stepMs }).perSecond / 1_000).toBeCloseTo(1, 0)
  })

  it('is forgotten within seconds when nothing is released any more', () => {
    const flow = flowOf(1_000)
    expect(noteReleased(flow, flow.at + 5_000, 0).perSecond).toBeLessThan(10)
  })
})

describe('the line', () => {
  it('holds a few when nothing is known', () => {
    expect(lineFor(STILL)).toBe(16)
    expect(lineFor(flowOf(20))).toBe(16)
  })

  it('holds what is taken up in a twentieth of a second', () => {
    const line = lineFor(flowOf(10_000))
    expect(line).toBeGreaterThan(450)
    expect(line).toBeLessThan(550)
  })

  it('grows as long as workers take up all of it within its time', () => {
    let flow = STILL
    for (let step = 1; step <= 200; step += 1) flow = noteReleased(flow, step * 20, lineFor(flow))
    expect(lineFor(flow)).toBeGreaterThan(1_000)
  })
})

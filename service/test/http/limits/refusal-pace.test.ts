import { describe, expect, it } from 'vitest'
import { Fault } from '../../../src/domain/fault.ts'
import { createRefusalPace, RefusalCount } from '../../../src/http/limits/refusal-pace.ts'

const OPTIONS = { burst: 3, perSecond: 10, maxWaitMs: 400, maxHeld: 2 }

describe('the refusals of a tenant', () => {
  it('wait for nothing at first, then for their turn, and never longer than the maximum', () => {
    const count = new RefusalCount()
    const waits = Array.from({ length: 10 }, () => count.waitFor(OPTIONS, 1_000))
    expect(waits).toEqual([0, 0, 0, 100, 200, 300, 400, 400, 400, 400])
  })

  it('wait for nothing again after a pause', () => {
    const count = new RefusalCount()
    for (let time = 0; time < 10; time += 1) count.waitFor(OPTIONS, 1_000)
    expect(count.isUnused(1_700)).toBe(true)
    expect(count.isUnused(1_699)).toBe(false)
    expect(count.waitFor(OPTIONS, 1_700)).toBe(0)
    expect(count.waitFor(OPTIONS, 1_700)).toBe(0)
  })
})

describe('a refusal', () => {
  const fault = new Fault('overloaded')

  it('is thrown at once, or later if there were many', async () => {
    const pace = createRefusalPace(OPTIONS)
    const count = new RefusalCount()
    for (let time = 0; time < OPTIONS.burst; time += 1)
      expect(() => pace.refuse(count, fault, 0)).toThrow(fault)
    const started = performance.now()
    await expect(pace.refuse(count, fault, 0)).rejects.toBe(fault)
    expect(performance.now() - started).toBeGreaterThan(90)
  })

  it('of another tenant is thrown at once meanwhile', () => {
    const pace = createRefusalPace(OPTIONS)
    const count = new RefusalCount()
    for (let time = 0; time < OPTIONS.burst; time += 1)
      expect(() => pace.refuse(count, fault, 0)).toThrow(fault)
    const held = pace.refuse(count, fault, 0)
    expect(() => pace.refuse(new RefusalCount(), fault, 0)).toThrow(fault)
    return expect(held).rejects.toBe(fault)
  })

  it('is thrown at once while the process holds back as many as it may', async () => {
    const pace = createRefusalPace(OPTIONS)
    const count = new RefusalCount()
    for (let time = 0; time < OPTIONS.burst; time += 1)
      expect(() => pace.refuse(count, fault, 0)).toThrow(fault)
    const held = [pace.refuse(count, fault, 0), pace.refuse(count, fault, 0)]
    expect(() => pace.refuse(count, fault, 0)).toThrow(fault)
    expect((await Promise.allSettled(held)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(pace.refuse(count, fault, 0)).rejects.toBe(fault)
  })
})

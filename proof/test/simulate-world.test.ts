/** The simulated world itself: it repeats, it holds with the rules as they are, and it notices when one is broken. */
import { describe, expect, test } from 'vitest'
import { createBroker } from '../proofs/simulate/broker.ts'
import { createChance } from '../harness/chance.ts'
import { loadLimits } from '../proofs/simulate/conformance/product.ts'
import { RULES, documentRefOf } from '../proofs/simulate/rules.ts'
import type { Rules } from '../proofs/simulate/rules.ts'
import { BROKEN_RULES } from '../proofs/simulate/sabotage.ts'
import { createTimeline } from '../proofs/simulate/timeline.ts'
import { runWorld } from '../proofs/simulate/world.ts'

const limits = await loadLimits()
const run = (seed: number, rules: Rules = RULES) =>
  runWorld({ seed, rules, limits, stormSteps: 3_000, settleSeconds: 900 })

describe('a world', () => {
  test('runs the same way whenever its seed is the same, and another way when it is not', () => {
    expect(run(7).hash).toBe(run(7).hash)
    expect(run(8).hash).not.toBe(run(7).hash)
  })

  test('brings everything to its end and breaks no rule', () => {
    for (const seed of [1, 2, 3]) {
      const { violation, steps, checked } = run(seed)
      expect(violation).toBeUndefined()
      expect(steps).toBeGreaterThan(3_000)
      expect(checked.size).toBeGreaterThan(5)
    }
  })

  test.each(BROKEN_RULES)('notices when $name, and finds it again', ({ rules }) => {
    const seeds = Array.from({ length: 12 }, (_, index) => index + 1)
    const found = seeds.map((seed) => run(seed, rules).violation).find(Boolean)
    expect(found?.lastSteps.length).toBeGreaterThan(0)
    expect(run(found?.seed ?? 0, rules).violation).toEqual(found)
  })
})

describe('the timeline', () => {
  test('gives events in the order of their time, and of their planning where that is equal', () => {
    const timeline = createTimeline<string>()
    for (const [at, event] of [
      [5, 'e'],
      [1, 'a'],
      [3, 'c'],
      [3, 'd'],
      [2, 'b'],
    ] as const)
      timeline.plan(at, event)
    const events = Array.from({ length: 6 }, () => timeline.next()?.event)
    expect(events).toEqual(['a', 'b', 'c', 'd', 'e', undefined])
  })
})

describe('the broker of a world', () => {
  test('hands a message out again when its lease has ended, and not after it was acknowledged', () => {
    const broker = createBroker(createChance(1))
    broker.publish(0, { ref: documentRefOf('acme-00', 'case', 'report'), ticket: 1 })
    const [first] = broker.receive(0, 5)
    expect(broker.receive(8_999, 5)).toEqual([])
    expect(broker.receive(9_000, 5)).toMatchObject([{ id: first?.id, redelivered: true }])
    broker.ack(first?.id ?? 0)
    expect(broker.receive(99_000, 5)).toEqual([])
  })

  test('is a young one after it was wiped', () => {
    const broker = createBroker(createChance(1))
    expect(broker.inspect(9_000).ageSeconds).toBe(9)
    broker.wipe(9_000)
    expect(broker.inspect(10_000).ageSeconds).toBe(1)
  })
})

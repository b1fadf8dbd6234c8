/** The instruments of the proof of policies: each must show what is there, and nothing that is not. */
import { describe, expect, test } from 'vitest'
import { randomPermits } from '../proofs/policy/permits.ts'
import { readTables, wrongAmong } from '../proofs/policy/tables.ts'
import { seededRandom } from '../harness/statistics.ts'

describe('the tables', () => {
  test('are sixty situations, allowed and denied, each with a name of its own in its table', async () => {
    const tables = await readTables()
    for (const { situations: each } of tables)
      expect(new Set(each.map(({ name }) => name)).size).toBe(each.length)
    const situations = tables.flatMap((table) => table.situations)
    expect(situations.length).toBeGreaterThanOrEqual(60)
    for (const expected of ['allow', 'deny'])
      expect(situations.filter(({ expect: each }) => each === expected).length).toBeGreaterThanOrEqual(20)
  })
})

describe('the comparison', () => {
  const asked = [
    { name: 'one', point: 'admit_document', expect: 'deny', policies: ['tenant/b', 'tenant/a'] },
    { name: 'two', point: 'admit_document', expect: 'allow', policies: ['default/admit'] },
  ] as const
  const one = { situation: 'one', decision: 'deny', policies: 'tenant/a tenant/b' }
  const two = { situation: 'two', decision: 'allow', policies: 'default/admit' }

  test('finds nothing where all is as expected', () => {
    expect(wrongAmong(asked, [one, two])).toEqual([])
  })

  test('finds another decision, another policy, another situation and a missing answer', () => {
    expect(wrongAmong(asked, [one, { ...two, decision: 'deny' }])).toHaveLength(1)
    expect(wrongAmong(asked, [{ ...one, policies: 'tenant/a' }, two])).toHaveLength(1)
    expect(wrongAmong(asked, [two, one])).toHaveLength(2)
    expect(wrongAmong(asked, [one])).toHaveLength(1)
  })
})

describe('random permits', () => {
  test('are repeated by their seed, and forbid nothing', () => {
    const text = randomPermits(seededRandom(7), 50)
    expect(randomPermits(seededRandom(7), 50)).toBe(text)
    expect(randomPermits(seededRandom(8), 50)).not.toBe(text)
    expect([text.match(/permit \(/g)?.length, text.includes('forbid')]).toEqual([50, false])
  })
})

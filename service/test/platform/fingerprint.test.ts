import { randomBytes, randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFingerprints } from '../../src/platform/fingerprint.ts'

const pepper = randomBytes(32)
const fingerprint = createFingerprints(pepper)(randomUUID())
const hex = (parts: readonly (string | null)[], by = fingerprint) => by(parts).toString('hex')

const lists = fc.array(fc.option(fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 4 })

describe('a fingerprint', () => {
  it('is the same for the same parts every time, and 128 bits long', () => {
    expect(hex(['name', null, 'text'])).toBe(hex(['name', null, 'text']))
    expect(fingerprint(['x'])).toHaveLength(16)
  })

  it.each([
    ['a border between two parts that moved', ['ab', 'c'], ['a', 'bc']],
    ['nothing and the empty text', [null], ['']],
    ['an empty part more', ['a'], ['a', '']],
    ['a missing part more', ['a'], ['a', null]],
    ['parts that imitate the written form', ['1:a'], ['a']],
    ['parts that imitate a missing one', ['-|'], [null]],
    ['the order of parts', ['a', 'b'], ['b', 'a']],
    ['equal numbers of characters of different length', ['é'], ['e']],
  ])('tells apart %s', (_, one, other) => {
    expect(hex(one)).not.toBe(hex(other))
  })

  it('is equal for equal lists and for no others', () => {
    fc.assert(
      fc.property(lists, lists, (one, other) => {
        expect(hex(one) === hex(other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
      { numRuns: 300 },
    )
  })

  it('says nothing across tenants, and nothing to who lacks the pepper', () => {
    const [tenantId, other] = [randomUUID(), randomUUID()]
    const own = hex(['same text'], createFingerprints(pepper)(tenantId))
    expect(hex(['same text'], createFingerprints(pepper)(other))).not.toBe(own)
    expect(hex(['same text'], createFingerprints(randomBytes(32))(tenantId))).not.toBe(own)
    expect(hex(['same text'], createFingerprints(pepper)(tenantId))).toBe(own)
  })

  it('is the same before and after the key of its tenant was forgotten for others', () => {
    const fingerprints = createFingerprints(pepper)
    const tenantId = randomUUID()
    const own = hex(['text'], fingerprints(tenantId))
    for (let tenant = 0; tenant < 10_001; tenant += 1) fingerprints(`tenant ${tenant}`)
    expect(hex(['text'], fingerprints(tenantId))).toBe(own)
  })
})

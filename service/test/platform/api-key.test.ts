import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKey, digestKey, keyPrefix, matchesDigest, parseKey } from '../../src/platform/api-key.ts'
import type { KeyTier } from '../../src/platform/api-key.ts'
import { checksumOf, DIGITS, forgeKey } from '../support/forged-key.ts'

const tiers: readonly KeyTier[] = ['tenant', 'admin', 'internals']
const letters = { tenant: 't', admin: 'a', internals: 'i' } as const
const pepper = randomBytes(32)

describe('a new key', () => {
  it.each(tiers)('of the %s tier has the written form', (tier) => {
    const { key, keyId, prefix } = createKey(tier)
    expect(key).toMatch(new RegExp(`^ck_${letters[tier]}_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}$`))
    expect(prefix).toBe(`ck_${letters[tier]}_${keyId}`)
    expect(key.startsWith(`${prefix}_`)).toBe(true)
  })

  it('ends in the CRC-32 of all before it, which any scanner can compute', () => {
    const { key } = createKey('tenant')
    expect(key.slice(-6)).toBe(checksumOf(key.slice(0, -6)))
  })

  it('is read back as what it was made as', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tiers), (tier) => {
        const { key, keyId } = createKey(tier)
        expect(parseKey(key)).toEqual({ tier, keyId, key })
      }),
    )
  })

  it('shows nothing of the secret in its prefix', () => {
    const { key, keyId, prefix } = createKey('admin')
    expect(keyPrefix('admin', keyId)).toBe(prefix)
    expect(key.slice(prefix.length + 1)).toHaveLength(49)
  })

  it('uses every digit about equally often, at every place of id and secret', () => {
    // 53 random digits a key: 3,000 keys give each of the 62 digits about 2,565 of 159,000 places. Five standard
    // deviations are 250; a byte taken modulo 62 would push the first eight digits up by more than 600.
    const counts = new Map<string, number>()
    const ids = new Set<string>()
    for (let made = 0; made < 3_000; made += 1) {
      const { key, keyId } = createKey('tenant')
      ids.add(keyId)
      for (const digit of keyId + key.slice(16, -6)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
    }
    const expected = (3_000 * 53) / 62
    const worst = Math.max(...DIGITS.split('').map((digit) => Math.abs((counts.get(digit) ?? 0) - expected)))
    expect(counts.size).toBe(62)
    expect(worst).toBeLessThan(300)
    expect(ids.size).toBe(3_000)
  })
})

describe('parseKey', () => {
  it('detects every change of a single character', () => {
    const { key } = createKey('internals')
    const change = fc.record({
      at: fc.nat(key.length - 1),
      character: fc.oneof(
        fc.constantFrom(...DIGITS.split(''), '_', ' ', '-'),
        fc.string({ minLength: 1, maxLength: 2 }),
      ),
    })
    fc.assert(
      fc.property(change, ({ at, character }) => {
        const changed = key.slice(0, at) + character + key.slice(at + 1)
        fc.pre(changed !== key)
        expect(parseKey(changed)).toBeUndefined()
      }),
      { numRuns: 2_000 },
    )
  })

  it('detects every other digit at every place', () => {
    const { key } = createKey('tenant')
    const accepted = key
      .split('')
      .flatMap((original, at) =>
        DIGITS.split('').filter((d) => d !== original && parseKey(key.slice(0, at) + d + key.slice(at + 1))),
      )
    expect(accepted).toEqual([])
  })

  it('detects neighbours that changed places', () => {
    const { key } = createKey('tenant')
    for (let at = 0; at + 1 < key.length; at += 1) {
      const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2)
      expect(parseKey(swapped)?.key ?? key).toBe(key)
    }
  })

  it('accepts any key of the right form and checksum, since only the database knows which exist', () => {
    const key = forgeKey('ck_t_0123456789')
    expect(parseKey(key)).toEqual({ tier: 'tenant', keyId: '0123456789', key })
  })

  it('refuses what surrounds a good key', () => {
    const { key } = createKey('tenant')
    for (const value of [
      ` ${key}`,
      `${key} `,
      `${key}\n`,
      `Bearer ${key}`,
      key.toUpperCase(),
      key.slice(0, -1),
    ])
      expect(parseKey(value)).toBeUndefined()
  })

  it('never throws, whatever it is given', () => {
    const anything = fc.uint16Array({ maxLength: 80 }).map((units) => String.fromCharCode(...units))
    fc.assert(
      fc.property(anything, (value) => {
        expect(parseKey(value)).toBeUndefined()
      }),
    )
  })
})

describe('matchesDigest', () => {
  it('is true for the key that was digested, and false for another', () => {
    const { key } = createKey('tenant')
    const stored = digestKey(pepper, key)
    expect(matchesDigest(pepper, key, stored)).toBe(true)
    expect(matchesDigest(pepper, createKey('tenant').key, stored)).toBe(false)
  })

  it('is false under another pepper, so that a stolen table is useless', () => {
    const { key } = createKey('tenant')
    expect(matchesDigest(randomBytes(32), key, digestKey(pepper, key))).toBe(false)
  })

  it('is false for a key that is not known, even one whose digest is all zeros', () => {
    expect(matchesDigest(pepper, createKey('tenant').key, undefined)).toBe(false)
  })
})

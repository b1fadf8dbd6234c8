import { describe, expect, it } from 'vitest'
import { keyStatus, opensTier } from '../../src/domain/key.ts'

const tiers = ['tenant', 'admin', 'internals'] as const

describe('opensTier', () => {
  it('lets a key open its own tier, and an internals key the admin tier besides', () => {
    const open = tiers.flatMap((held) =>
      tiers.filter((wanted) => opensTier(held, wanted)).map((wanted) => `${held} opens ${wanted}`),
    )
    expect(open).toEqual([
      'tenant opens tenant',
      'admin opens admin',
      'internals opens admin',
      'internals opens internals',
    ])
  })
})

describe('keyStatus', () => {
  it.each([
    ['live', { expired: false, revokedAt: null }],
    ['expired', { expired: true, revokedAt: null }],
    ['revoked', { expired: false, revokedAt: new Date(0) }],
    ['revoked', { expired: true, revokedAt: new Date(0) }],
  ])('is %s for %j', (status, key) => {
    expect(keyStatus(key)).toBe(status)
  })
})

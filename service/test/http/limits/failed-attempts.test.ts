import { describe, expect, it } from 'vitest'
import type { ProblemCode } from '@concord/contract'
import { Fault } from '../../../src/domain/fault.ts'
import { createFailedAttempts, sourceOf } from '../../../src/http/limits/failed-attempts.ts'
import { createClock } from '../../support/clock.ts'
import { forgeKey } from '../../support/forged-key.ts'

const rate = { perSecond: 1, burst: 3 }
const key = forgeKey('ck_t_0123456789')

function setUp() {
  const clock = createClock()
  const attempts = createFailedAttempts(rate, clock.now)
  const fail = (
    parts: { address?: string; key?: string; header?: string; error?: unknown } = {},
  ): unknown => {
    const error = attempts.after(parts.error ?? new Fault('credential_invalid'), {
      address: parts.address ?? '192.0.2.1',
      headers: {
        ...(parts.key !== undefined && { authorization: `Bearer ${parts.key}` }),
        ...(parts.header !== undefined && { 'x-tenant-api-key': parts.header }),
      },
    })
    return error instanceof Fault ? error.code : error
  }
  return { clock, attempts, fail }
}

describe('refused credentials', () => {
  it('of one source are told to wait after so many, and again after a while', () => {
    const { clock, fail } = setUp()
    const told = Array.from({ length: 4 }, () => fail())
    expect(told).toEqual([...Array.from({ length: 3 }, () => 'credential_invalid'), 'rate_limited'])
    expect(fail({ address: '192.0.2.2' })).toBe('credential_invalid')
    clock.advance(1_000)
    expect([fail(), fail()]).toEqual(['credential_invalid', 'rate_limited'])
  })

  it('under one key are told so from wherever they come, in either header', () => {
    const { fail } = setUp()
    for (const last of [1, 2]) expect(fail({ address: `192.0.2.${last}`, key })).toBe('credential_invalid')
    expect(fail({ address: '192.0.2.3', header: key })).toBe('credential_invalid')
    expect(fail({ address: '192.0.2.4', key })).toBe('rate_limited')
    expect(fail({ address: '192.0.2.5', key: forgeKey('ck_t_9876543210') })).toBe('credential_invalid')
  })

  it('are told how long to wait', () => {
    const { attempts } = setUp()
    const attempt = { address: '192.0.2.1', headers: {} }
    const told = Array.from({ length: 4 }, () => attempts.after(new Fault('credential_expired'), attempt)).at(
      -1,
    )
    expect(told).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '1' } })
  })

  it.each<ProblemCode>(['credential_missing', 'wrong_tier', 'tenant_mismatch', 'no_root_key', 'unavailable'])(
    'are not counted where nothing was tried out: %s',
    (code) => {
      const { fail } = setUp()
      for (let time = 0; time < 9; time += 1) expect(fail({ error: new Fault(code) })).toBe(code)
      expect(fail()).toBe('credential_invalid')
    },
  )

  it('leave other errors as they are', () => {
    const { fail } = setUp()
    const error = new Error('no')
    expect(fail({ error })).toBe(error)
  })

  it('are counted in a table that does not grow with what is invented', () => {
    const { fail } = setUp()
    for (let time = 0; time < 3; time += 1) fail()
    for (let other = 0; other < 9_999; other += 1) fail({ address: `10.0.${other >> 8}.${other & 255}` })
    expect(fail()).toBe('rate_limited')
    fail({ address: '10.99.0.1' })
    // The oldest was forgotten for it.
    expect(fail()).toBe('credential_invalid')
  })
})

describe('a source', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::7', '2001:db8:1:2'],
    ['2001:db8::7', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('%s is counted as %s', (address, expected) => {
    expect(sourceOf(address)).toBe(expected)
  })
})

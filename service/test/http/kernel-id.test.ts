import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operations } from '@concord/contract'
import { decodeKernelId, encodeKernelId } from '../../src/http/kernel-id.ts'
import { Fault } from '../../src/domain/fault.ts'

const positions = fc.record({
  kernelSeq: fc.integer({ min: 0, max: 999_999_999_999_999 }),
  tenantId: fc.uuid(),
  scopeId: fc.stringMatching(/^(?:[a-z0-9][a-z0-9-]{0,119})?$/),
  seq: fc.integer({ min: 0, max: 999_999_999_999_999 }),
})

describe('the id of an event on the operator’s stream', () => {
  it('leads back to the place it was made for, and passes the contract on its way', () => {
    fc.assert(
      fc.property(positions, (position) => {
        const id = encodeKernelId(position)
        expect(decodeKernelId(id, 'query#/after')).toEqual(position)
        expect(operations.streamKernelEvents.query?.safeParse({ after: id }).success).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('may be missing', () => {
    expect(decodeKernelId(undefined, 'query#/after')).toBeUndefined()
  })

  it.each([
    '',
    'x',
    '1',
    '1.2.3.4',
    '1.6F8D0C5E-2b1a-4d57-9a3c-0e4b7d1f2a66.1.default',
    '6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66.1.default',
    `1.${'0'.repeat(36)}.1.default`,
  ])('that was not made here is refused: %j', (id) => {
    expect(() => decodeKernelId(id, 'query#/after')).toThrow(Fault)
  })

  it('with anything before or behind it is refused', () => {
    const id = encodeKernelId({
      kernelSeq: 7,
      tenantId: '6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66',
      scopeId: 'a',
      seq: 1,
    })
    for (const bad of [`${id}\n`, ` ${id}`, `${id}.x`, `-${id}`])
      expect(() => decodeKernelId(bad, 'query#/after')).toThrow(Fault)
  })

  it('that is refused is named by where it was sent', () => {
    const decode = () => decodeKernelId('x', 'header#/last-event-id')
    expect(decode).toThrow(
      expect.objectContaining({ fields: [expect.objectContaining({ pointer: 'header#/last-event-id' })] }),
    )
  })
})

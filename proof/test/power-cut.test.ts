/** Tests the losses that count after a power cut. */
import { describe, expect, test } from 'vitest'
import { findLosses } from '../proofs/power-cut/losses.ts'

const place = { tenantId: 't', tenantKey: 'k', scopeId: 's' }
const call = (documentId: string | undefined, ackedAt: number | undefined) => ({ place, documentId, ackedAt })
const stored = (documentId: string, scopeId = 's') => ({ tenantId: 't', scopeId, documentId })

describe('losses at a cut', () => {
  test('are the acknowledged documents that are not stored', () => {
    const losses = findLosses([call('a', 1), call('b', 2)], [stored('a')], 10)
    expect(losses).toEqual({ acknowledged: 2, lost: 1, lostBefore: 1 })
  })

  test('leave out what was never acknowledged, stored or not', () => {
    const losses = findLosses([call(undefined, undefined), call('a', 1)], [stored('a'), stored('x')], 10)
    expect(losses).toEqual({ acknowledged: 1, lost: 0, lostBefore: 0 })
  })

  test('tell apart what was answered before the cut from what was answered after it', () => {
    const losses = findLosses([call('a', 9), call('b', 11)], [], 10)
    expect(losses).toEqual({ acknowledged: 2, lost: 2, lostBefore: 1 })
  })

  test('count a document that turned up in another scope', () => {
    expect(findLosses([call('a', 1)], [stored('a', 'other')], 10).lost).toBe(1)
  })
})

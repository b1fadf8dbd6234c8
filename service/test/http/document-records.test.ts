import { describe, expect, it } from 'vitest'
import { operations } from '@concord/contract'
import { unreadPartsOf } from '../../src/app/documents/document-card.ts'
import type { DecryptedDocument } from '../../src/app/documents/documents.ts'
import { failedReport, RULE_READER, toStoredReport } from '../../src/domain/reading-report.ts'
import {
  documentAddress,
  toDepositRequest,
  toDocumentRecord,
  toVersionRecord,
} from '../../src/http/document-records.ts'
import { PLAIN_LAYOUT } from '../../src/domain/file-layout.ts'

const at = new Date('2026-11-15T09:30:00.000Z')

const document = (parts: Partial<DecryptedDocument> = {}): DecryptedDocument => ({
  scopeId: 'default',
  documentId: 'report',
  name: 'Report',
  source: null,
  provenance: null,
  epoch: 0,
  version: 1,
  type: 'txt',
  status: 'queued',
  attempt: 0,
  errorCode: null,
  errorStage: null,
  hold: null,
  tags: [],
  metadata: [],
  report: null,
  claimsCompared: null,
  characters: 9,
  waitingReason: null,
  createdAt: at,
  updatedAt: at,
  ...parts,
})

describe('a document', () => {
  it('has the fields of the contract, and no others', () => {
    const record = toDocumentRecord(document())
    expect(operations.registerDocument.answers[201].safeParse(record).error).toBeUndefined()
    expect(JSON.stringify(record)).not.toMatch(/secret|fingerprint|sealed|epoch/)
  })

  it('names the first hundred parts of its file that were not read, with their total', () => {
    expect(toDocumentRecord(document())).toMatchObject({ unread: [], unread_total: 0 })
    const unread = Array.from({ length: 300 }, (_, index) => ({ part: 'page', number: index + 1 }) as const)
    const record = toDocumentRecord(document({ unread: unreadPartsOf({ ...PLAIN_LAYOUT, unread }) }))
    expect([record.unread, record.unread_total]).toEqual([unread.slice(0, 100), 300])
    expect(operations.registerDocument.answers[201].safeParse(record).error).toBeUndefined()
  })

  it('has a stage while it is being processed, and only then', () => {
    expect(toDocumentRecord(document({ status: 'processing' })).stage).toBe('read')
    for (const status of ['queued', 'processed', 'failed', 'removed'] as const)
      expect(toDocumentRecord(document({ status })).stage).toBeNull()
  })

  it.each(['threw', 'time_exceeded', 'memory_exceeded', 'crashed', 'worker_lost', 'unreadable'])(
    'that failed because of %s says what can be done about it',
    (errorCode) => {
      const { error } = toDocumentRecord(document({ status: 'failed', errorCode, errorStage: 'read' }))
      expect(error).toMatchObject({ code: errorCode, stage: 'read' })
      expect(error?.message).toMatch(/send|split|retry/)
      expect(error?.message).not.toContain('ended without a result')
    },
  )

  it('states what to do even if it failed for an unknown reason', () => {
    const { error } = toDocumentRecord(document({ status: 'failed', errorCode: 'brand_new' }))
    expect(error?.message).toContain('retry')
  })

  it('states how much was read and compared once it was read', () => {
    const report = toStoredReport({
      ...failedReport(RULE_READER, 9, 'language'),
      language: 'de',
      languageConfidence: 0.9,
    })
    const record = toDocumentRecord(document({ status: 'processed', report, claimsCompared: 0 }))
    expect(operations.registerDocument.answers[201].safeParse(record).error).toBeUndefined()
    expect(record.reading).toMatchObject({
      reader: 'rules',
      read: 'none',
      language: 'de',
      claims_compared: 0,
    })
  })

  it.each([
    ['time_exceeded', 'time'],
    ['memory_exceeded', 'memory'],
    ['worker_lost', 'failed'],
  ])('that failed because of %s was not read for the reason %s', (errorCode, reason) => {
    const { reading } = toDocumentRecord(document({ status: 'failed', errorCode }))
    expect(reading).toMatchObject({
      read: 'none',
      characters: 9,
      characters_read: 0,
      unread: [{ reason, characters: 9, passages: 0 }],
    })
  })

  it('has an address in which its id is encoded', () => {
    expect(documentAddress('default', 'a/b ?é')).toBe('/api/scopes/default/documents/a%2Fb%20%3F%C3%A9')
  })
})

describe('a version', () => {
  it('has the times at which it was received, queued, started and ended', () => {
    const reading = { report: null, claimsCompared: null }
    const version = { version: 2, status: 'processed' as const, characters: 9, receivedAt: at, ...reading }
    expect(toVersionRecord({ ...version, queuedAt: at, startedAt: null, endedAt: null })).toEqual({
      version: 2,
      status: 'processed',
      characters: 9,
      reading: null,
      received_at: at.toISOString(),
      queued_at: at.toISOString(),
      started_at: null,
      ended_at: null,
    })
  })
})

describe('a deposit', () => {
  it('has no characters without a text, and omitted fields are null', () => {
    expect(toDepositRequest('default', { name: 'n', type: 'txt' })).toEqual({
      scopeId: 'default',
      documentId: null,
      name: 'n',
      type: 'txt',
      text: null,
      characters: 0,
      source: null,
      provenance: null,
      labels: null,
    })
  })

  it('keeps each tag once and the metadata in the order of its names, and takes empty ones for an answer', () => {
    const sent = { name: 'n', type: 'txt', tags: ['b', 'a', 'b'], metadata: { y: '2', x: '1' } }
    expect(toDepositRequest('default', sent).labels).toEqual({
      tags: ['b', 'a'],
      metadata: [
        ['x', '1'],
        ['y', '2'],
      ],
    })
    const none = toDepositRequest('default', { name: 'n', type: 'txt', tags: [] })
    expect(none.labels).toEqual({ tags: [], metadata: [] })
  })

  it('counts the characters of its text as code points', () => {
    expect(toDepositRequest('default', { name: 'n', type: 'txt', text: '🎉🎉é' }).characters).toBe(3)
  })
})

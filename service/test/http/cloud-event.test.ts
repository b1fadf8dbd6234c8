import { describe, expect, it } from 'vitest'
import { eventSchemas } from '@concord/contract'
import type { EventKind } from '@concord/contract'
import type { LogEntry } from '../../src/app/events/event-feed.ts'
import { failedReport, RULE_READER, toStoredReport } from '../../src/domain/reading-report.ts'
import { toEventFrame } from '../../src/http/cloud-event.ts'

const place = { tenantId: '6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66', scopeId: 'default' }

const entry = (parts: Partial<LogEntry> = {}): LogEntry => ({
  seq: 42,
  epoch: 3,
  kind: 'document.queued',
  documentId: 'report',
  version: 2,
  data: {},
  at: new Date('2026-11-15T09:30:00.123Z'),
  ...parts,
})

const READING = toStoredReport(failedReport(RULE_READER, 9, 'not_text'))

describe('an entry of a log', () => {
  it('goes out as a CloudEvent under its position', () => {
    expect(toEventFrame(place, entry())).toEqual({
      id: '42',
      event: 'document.queued',
      data: {
        specversion: '1.0',
        id: '42',
        source: `/tenants/${place.tenantId}/scopes/default`,
        type: 'document.queued',
        subject: 'report',
        time: '2026-11-15T09:30:00.123Z',
        data: {
          tenant_id: place.tenantId,
          scope_id: 'default',
          epoch: 3,
          seq: 42,
          document_id: 'report',
          version: 2,
        },
      },
    })
  })

  it('about the scope itself names the scope, and no document', () => {
    const { data } = toEventFrame(place, entry({ kind: 'scope.created', documentId: null, version: null }))
    expect(data).toMatchObject({ subject: 'default' })
    expect(eventSchemas.get('scope.created')?.safeParse(data).success).toBe(true)
  })

  it('is the same event on another stream, at the position of that stream', () => {
    const { data } = toEventFrame(place, entry())
    expect(toEventFrame(place, entry(), 'elsewhere')).toMatchObject({ id: 'elsewhere', data })
  })

  it.each([
    ['document.registered', {}],
    ['document.attached', {}],
    ['document.queued', {}],
    ['document.processing', { stage: 'read', attempt: 1 }],
    ['document.processed', { attempt: 1, passages: 2, sentences: 3, reading: READING }],
    ['document.failed', { stage: 'read', attempt: 5, reason: 'threw' }],
    ['document.superseded', { superseded_by: 3 }],
    ['document.removed', {}],
  ] satisfies [EventKind, object][])(
    'of kind %s keeps to the contract with what the log says of it',
    (kind, data) => {
      const frame = toEventFrame(place, entry({ kind, data: { ...data } }))
      expect(eventSchemas.get(kind)?.safeParse(frame.data).error).toBeUndefined()
    },
  )
})

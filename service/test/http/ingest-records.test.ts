import { describe, expect, it } from 'vitest'
import { operations } from '@concord/contract'
import type { BodyOf } from '@concord/contract'
import { Fault } from '../../src/domain/fault.ts'
import { toAcceptedRecord, toIngestRequest } from '../../src/http/ingest-records.ts'

type Body = BodyOf<typeof operations.ingestDocument>

const { answers } = operations.ingestDocument

const body = (parts: Partial<Body> = {}): Body => ({
  scope_id: 'default',
  name: 'Report',
  type: 'txt',
  text: 'é🎉',
  ...parts,
})

describe('a request', () => {
  it('is read with what was left out as nothing, and its characters counted as code points', () => {
    expect(toIngestRequest(body())).toEqual({
      scopeId: 'default',
      name: 'Report',
      type: 'txt',
      text: 'é🎉',
      characters: 2,
      documentId: null,
      source: null,
      idempotencyKey: null,
    })
  })

  it('is read with all that was sent', () => {
    const sent = body({ type: '', document_id: 'd', source: 's', idempotency_key: 'k' })
    expect(toIngestRequest(sent)).toMatchObject({
      type: '',
      documentId: 'd',
      source: 's',
      idempotencyKey: 'k',
    })
  })

  it('may carry its key in the header, in the body, or in both alike', () => {
    expect(toIngestRequest(body(), 'k').idempotencyKey).toBe('k')
    expect(toIngestRequest(body({ idempotency_key: 'k' }), 'k').idempotencyKey).toBe('k')
  })

  it('with two keys that differ is refused, and told which', () => {
    const read = () => toIngestRequest(body({ idempotency_key: 'k' }), 'K')
    expect(read).toThrow(Fault)
    expect(read).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        fields: [expect.objectContaining({ pointer: 'header#/idempotency-key', code: 'conflicting_keys' })],
      }),
    )
  })
})

describe('an answer', () => {
  it('is that of the contract, and the same for the first time and for a repetition', () => {
    const request = toIngestRequest(body({ idempotency_key: 'k' }))
    const written = [false, true].map((replayed) =>
      JSON.stringify(toAcceptedRecord(request, { documentId: 'made', seq: 7, replayed })),
    )
    expect(written[0]).toBe(written[1])
    expect(answers[202].parse(JSON.parse(written[0] ?? ''))).toMatchObject({
      document_id: 'made',
      idempotency_key: 'k',
      queued: true,
      seq: 7,
      integration_version: 'v1',
    })
  })
})

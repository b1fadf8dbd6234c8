/** The kinds of event, and what each may say. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CloudEvent, eventKinds, eventSchemas, scopeEventKinds } from '../src/index.ts'

const expectedScopeKinds = [
  'document.registered',
  'document.attached',
  'document.queued',
  'document.processing',
  'document.processed',
  'document.held',
  'document.failed',
  'document.superseded',
  'document.removed',
  'claims.extracted',
  'contradiction.opened',
  'contradiction.changed',
  'contradiction.withdrawn',
  'contradiction.resolved',
  'contradiction.dismissed',
  'contradiction.reopened',
  'comparison.cut',
  'comparison.held',
  'comparison.released',
  'decision.made',
  'convergence.changed',
  'scope.created',
  'scope.declared',
  'scope.reopened',
  'scope.reset',
  'runtime.changed',
]

const expectedKernelKinds = [
  'worker.hatched',
  'worker.retired',
  'worker.lost',
  'scaling.decided',
  'dependency.lost',
  'dependency.restored',
]

test('the kinds are these and no others', () => {
  expect(scopeEventKinds).toEqual(expectedScopeKinds)
  expect(eventKinds).toEqual([...expectedScopeKinds, ...expectedKernelKinds])
})

const queued = {
  specversion: '1.0',
  id: '7',
  source: '/tenants/6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66/scopes/a',
  type: 'document.queued',
  subject: 'd',
  time: '2026-11-15T09:30:00.000Z',
  data: {
    tenant_id: '6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66',
    scope_id: 'a',
    epoch: 0,
    seq: 7,
    document_id: 'd',
    version: 1,
  },
}

describe('an event', () => {
  const schema = eventSchemas.get('document.queued')
  const isEvent = (value: unknown) => schema?.safeParse(value).success

  test('is a CloudEvents 1.0 object', () => {
    expect(isEvent(queued)).toBe(true)
    expect(CloudEvent.safeParse(queued).success).toBe(true)
  })

  test.each(Object.keys(queued))('has %s', (field) => {
    expect(isEvent({ ...queued, [field]: undefined })).toBe(false)
    expect(CloudEvent.safeParse({ ...queued, [field]: undefined }).success).toBe(false)
  })

  test('is of its own kind', () => {
    expect(isEvent({ ...queued, type: 'document.held' })).toBe(false)
    expect(CloudEvent.safeParse({ ...queued, type: 'document.eaten' }).success).toBe(false)
  })

  test('cannot carry the text of a document', () => {
    expect(isEvent({ ...queued, data: { ...queued.data, text: 'secret' } })).toBe(false)
  })
})

/** Words for content; an event may count such things or name them, never hold them. */
const content = new Set(['text', 'quote', 'name', 'value', 'note', 'claim', 'explanation', 'source'])

test.each([...eventSchemas])('%s carries ids, counts and kinds, and is closed', (kind, schema) => {
  const data = z.toJSONSchema(schema).$defs?.[kind]?.properties?.['data']
  const { additionalProperties, properties = {} } = typeof data === 'object' ? data : {}
  expect(additionalProperties).toBe(false)
  expect(Object.keys(properties).filter((field) => content.has(field))).toEqual([])
})

/** Which requests are the same one. */
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../src/domain/model.ts'
import { chatHash, requestHash } from '../../src/model/request-hash.ts'

const request: ModelRequest = {
  step: 'extract',
  promptVersion: 1,
  system: 'Read the document.',
  user: '{"text":"Revenue was EUR 12.4m."}',
  schemaName: 'concord_extract_v1',
  schema: { type: 'object', properties: { claims: { type: 'array' } }, required: ['claims'] },
  maxOutputTokens: 1_000,
}

describe('the hash of a request', () => {
  it('is that of its messages and its schema, in whatever order a client writes keys', () => {
    const hash = chatHash({
      messages: [
        { content: request.system, role: 'system' },
        { content: request.user, role: 'user' },
      ],
      schema: { required: ['claims'], properties: { claims: { type: 'array' } }, type: 'object' },
      schemaName: 'concord_extract_v1',
    })
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(requestHash(request)).toBe(hash)
  })

  it('does not depend on the room for the answer', () => {
    expect(requestHash({ ...request, maxOutputTokens: 5 })).toBe(requestHash(request))
  })

  it.each<[string, Partial<ModelRequest>]>([
    ['the instructions', { system: 'Read the document!' }],
    ['the evidence', { user: '{"text":"Revenue was EUR 12.5m."}' }],
    ['the name of the schema', { schemaName: 'concord_extract_v2' }],
    ['the schema', { schema: { type: 'object' } }],
    ['where the instructions end', { system: '', user: request.system + request.user }],
  ])('depends on %s', (_, change) => {
    expect(requestHash({ ...request, ...change })).not.toBe(requestHash(request))
  })

  it('keeps half characters apart, as JSON on the wire does', () => {
    const [one, other] = [
      { ...request, user: '\ud800' },
      { ...request, user: '\ud801' },
    ]
    expect(requestHash(one)).not.toBe(requestHash(other))
  })
})

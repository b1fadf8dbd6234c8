/** ingestDocument, repeated: the first answer again, byte for byte, and nothing is queued twice. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { kindsOf, readLog } from '../../events.ts'
import type { Reply } from '../../http/exchange.ts'
import { createSubject } from '../../subject.ts'
import type { SubjectCall } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import {
  asTenant,
  documentBody,
  newDocumentId,
  readDocument,
  remove,
  untilEnded,
} from '../../world/documents.ts'
import type { DocumentFields } from '../../world/documents.ts'
import { createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('ingestDocument')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const newKey = () => `key-${randomUUID()}`
const send = (fields: DocumentFields, more: Partial<SubjectCall> = {}) =>
  subject.call({ headers: asTenant(tenant), body: documentBody(scopeId, fields), ...more })
const sendWithHeader = (key: string, fields: DocumentFields) =>
  send(fields, { headers: { ...asTenant(tenant), 'idempotency-key': key } })
const documentOf = (reply: Reply) => subject.expectAnswer(reply, 202).document_id ?? ''

function expectReplayed(reply: Reply, first: Reply): void {
  subject.expectAnswer(reply, 202)
  expect(reply.text).toBe(first.text)
  expect(reply.headers['location']).toBe(first.headers['location'])
  expect(reply.headers['idempotency-replayed']).toBe('true')
}

/** One of many at once was the first, and what it was answered all of them were. */
function expectOneAccepted(replies: readonly Reply[]): string {
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(replies.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
  return documentOf(replies[0] ?? { status: 0, headers: {}, text: '' })
}

describe('idempotency: the same key with the same payload', () => {
  it.each(theTarget().urls)('gives the first answer again at %s, generated id included', async (url) => {
    const fields = { idempotency_key: newKey() }
    const first = await send(fields)
    documentOf(first)
    expect(first.headers).not.toHaveProperty('idempotency-replayed')
    expectReplayed(await send(fields, { url }), first)
  })

  it('gives it again after the document was processed', async () => {
    const fields = { idempotency_key: newKey(), source: 'mail', type: 'md' }
    const first = await send(fields)
    await untilEnded(tenant, scopeId, documentOf(first))
    expectReplayed(await send(fields), first)
    expect(await kindsOf(tenant, scopeId, documentOf(first))).toEqual([
      'document.queued',
      'document.processing',
      'document.processed',
    ])
  })

  it('gives it again after the document was removed, and does not bring it back', async () => {
    const fields = { idempotency_key: newKey() }
    const first = await send(fields)
    await remove(tenant, scopeId, documentOf(first))
    expectReplayed(await send(fields), first)
    expect((await readDocument(tenant, scopeId, documentOf(first))).status).toBe('removed')
  })

  it('accepts one of twenty that come at once, over all processes', async () => {
    const fields = { idempotency_key: newKey(), name: `at once ${randomUUID()}` }
    const before = await readLog(tenant, scopeId)
    const documentId = expectOneAccepted(await Promise.all(Array.from({ length: 20 }, () => send(fields))))
    const { versions } = await untilEnded(tenant, scopeId, documentId)
    expect(versions).toHaveLength(1)
    const log = (await readLog(tenant, scopeId)).slice(before.length + 1)
    expect(log.filter(({ type }) => type === 'document.queued')).toHaveLength(1)
  })

  it('tells keys apart by case and by space', async () => {
    const key = newKey()
    const ids = [key, key.toUpperCase(), `${key} `, ` ${key}`].map(async (each) =>
      documentOf(await send({ idempotency_key: each })),
    )
    expect(new Set(await Promise.all(ids)).size).toBe(4)
  })
})

describe('idempotency: the header Idempotency-Key', () => {
  it('is the equal of the field, in either order', async () => {
    const [inHeader, inField] = [newKey(), newKey()]
    const first = await sendWithHeader(inHeader, {})
    expect(subject.expectAnswer(first, 202).idempotency_key).toBe(inHeader)
    expectReplayed(await send({ idempotency_key: inHeader }), first)
    const second = await send({ idempotency_key: inField })
    expectReplayed(await sendWithHeader(inField, {}), second)
  })

  it('may stand beside the same field', async () => {
    const key = newKey()
    const first = await sendWithHeader(key, { idempotency_key: key })
    expect(subject.expectAnswer(first, 202).idempotency_key).toBe(key)
    expectReplayed(await sendWithHeader(key, {}), first)
  })

  it('may not stand beside another field, and neither key is then used up', async () => {
    const [one, other] = [newKey(), newKey()]
    const refused = await sendWithHeader(one, { idempotency_key: other })
    subject.expectProblem(refused, 'validation_failed', { pointers: ['header#/idempotency-key'] })
    for (const key of [one, other])
      expect((await sendWithHeader(key, {})).headers).not.toHaveProperty('idempotency-replayed')
  })

  it.each(['', 'a'.repeat(201)])('has the bounds of the field (%#)', async (key) => {
    const reply = await sendWithHeader(key, {})
    subject.expectProblem(reply, 'validation_failed', { pointers: ['header#/idempotency-key'] })
  })
})

describe('idempotency: 422 for the same key with another payload', () => {
  const changes: readonly DocumentFields[] = [
    { name: 'Other' },
    { type: 'md' },
    { text: 'Other.' },
    { source: 'other' },
    { document_id: 'other' },
  ]

  it.each(changes)('refuses %j, stores nothing of it, and keeps the first answer', async (change) => {
    const fields = { idempotency_key: newKey(), document_id: newDocumentId() }
    const first = await send(fields)
    const reply = await send({ ...fields, ...change })
    subject.expectProblem(reply, 'idempotency_key_reused')
    expectReplayed(await send(fields), first)
    const { name, type, source, versions } = await readDocument(tenant, scopeId, fields.document_id)
    expect({ name, type, source, versions: versions.length }).toEqual({
      name: 'Annual report',
      type: 'txt',
      source: null,
      versions: 1,
    })
  })

  it('refuses another scope: the key is one of the tenant', async () => {
    const other = await createScope(tenant)
    const fields = { idempotency_key: newKey() }
    documentOf(await send(fields))
    const reply = await send(fields, { body: documentBody(other.scope_id, fields) })
    subject.expectProblem(reply, 'idempotency_key_reused')
  })

  it('accepts one payload of ten different ones that come at once', async () => {
    const key = newKey()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => send({ idempotency_key: key, name: `Report ${index}` })),
    )
    const accepted = replies.filter(({ status }) => status === 202)
    expect(accepted).toHaveLength(1)
    for (const reply of replies.filter((each) => !accepted.includes(each)))
      subject.expectProblem(reply, 'idempotency_key_reused')
  })
})

describe('idempotency: whose key it is', () => {
  it('leaves the same key of another tenant alone', async () => {
    const other = await createTenant()
    await createScope(other, scopeId)
    const fields = { idempotency_key: newKey() }
    const mine = await send(fields)
    const theirs = await send({ ...fields, text: 'Theirs.' }, { headers: asTenant(other) })
    expect(documentOf(theirs)).not.toBe(documentOf(mine))
    expect(theirs.headers).not.toHaveProperty('idempotency-replayed')
  })

  it('is not used up by a request that was refused', async () => {
    const fields = { idempotency_key: newKey() }
    const unknown = await send(fields, { body: documentBody(newScopeId(), fields) })
    subject.expectProblem(unknown, 'scope_not_found')
    subject.expectProblem(await send({ ...fields, name: '' }), 'validation_failed')
    expect((await send(fields)).headers).not.toHaveProperty('idempotency-replayed')
  })
})

describe('idempotency: the same document_id with the same content', () => {
  it.each(theTarget().urls)('gives the first answer again at %s and queues nothing', async (url) => {
    const fields = { document_id: newDocumentId() }
    const first = await send(fields)
    expectReplayed(await send(fields, { url }), first)
    await untilEnded(tenant, scopeId, documentOf(first))
    expectReplayed(await send(fields, { url }), first)
    expect((await readDocument(tenant, scopeId, fields.document_id)).versions).toHaveLength(1)
    expect(await kindsOf(tenant, scopeId, fields.document_id)).toEqual([
      'document.queued',
      'document.processing',
      'document.processed',
    ])
  })

  it('queues one of twenty that come at once, over all processes', async () => {
    const fields = { document_id: newDocumentId() }
    expectOneAccepted(await Promise.all(Array.from({ length: 20 }, () => send(fields))))
    const { versions } = await untilEnded(tenant, scopeId, fields.document_id)
    expect(versions).toHaveLength(1)
  })

  it('says the same of it under a new key, which it echoes', async () => {
    const fields = { document_id: newDocumentId() }
    const first = subject.expectAnswer(await send(fields), 202)
    const key = newKey()
    const again = subject.expectAnswer(await send({ ...fields, idempotency_key: key }), 202)
    expect(again).toEqual({ ...first, idempotency_key: key })
  })
})

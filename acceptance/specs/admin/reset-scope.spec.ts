/** resetScope: everything in a scope is gone, and its log goes on. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { readLog, untilEvent } from '../../events.ts'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { describeTenantHeader } from '../../rules/tenant-header.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import {
  asTenant,
  documentBody,
  ingest,
  newDocumentId,
  readDocument,
  register,
  untilAllEnded,
  untilEnded,
} from '../../world/documents.ts'
import { make } from '../../world/making.ts'
import { asAdminOf, bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('resetScope')
const empty = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, empty)
})

const ask = (scopeId: string, owner = tenant) => ({ headers: asAdminOf(owner), params: { scopeId } })
const reset = async (scopeId: string) => subject.expectAnswer(await subject.call(ask(scopeId)), 200)
/** A scope can be emptied any number of times. */
const good = () => ask(empty)
const newScope = async () => (await createScope(tenant)).scope_id

async function ingestAndWait(scopeId: string, fields: object = {}): Promise<string> {
  const documentId = newDocumentId()
  await ingest(tenant, scopeId, { document_id: documentId, ...fields })
  await untilEnded(tenant, scopeId, documentId)
  return documentId
}

describe('resetScope: 200', () => {
  it('counts what went, and says where the log goes on', async () => {
    const scopeId = await newScope()
    await ingestAndWait(scopeId, { idempotency_key: randomUUID() })
    const twice = await ingestAndWait(scopeId)
    await ingest(tenant, scopeId, { document_id: twice, text: 'Another version.' })
    await untilEnded(tenant, scopeId, twice)
    await register(tenant, scopeId)
    const answer = await reset(scopeId)
    expect(answer).toEqual({
      scope_id: scopeId,
      epoch: 1,
      removed: {
        documents: 3,
        claims: 0,
        contradictions: 0,
        idempotency_records: 1,
        // Its log had no gap, so there were as many as the number before.
        log_entries: answer.seq - 1,
      },
      seq: expect.any(Number),
    })
  })

  it('leaves the scope as if nothing had ever been in it', async () => {
    const scopeId = await newScope()
    const before = await make('getOwnScope', { headers: bearer(tenant.key), params: { scopeId } })
    const documentId = await ingestAndWait(scopeId)
    const { epoch, seq } = await reset(scopeId)
    expect(await untilAllEnded(tenant, scopeId)).toEqual([])
    const gone = createSubject('getDocument')
    for (const url of theTarget().urls) {
      const call = { headers: bearer(tenant.key), params: { scopeId, documentId }, url }
      gone.expectProblem(await gone.call(call), 'document_not_found')
    }
    const after = await make('getOwnScope', { headers: bearer(tenant.key), params: { scopeId } })
    expect(after).toEqual({ ...before, epoch, log_head: seq, last_activity_at: expect.any(String) })
  })

  it('can be repeated, and goes on counting', async () => {
    const scopeId = await newScope()
    const answers = [await reset(scopeId), await reset(scopeId)]
    expect(answers.map(({ epoch, seq }) => [epoch, seq])).toEqual([
      [1, 2],
      [2, 3],
    ])
    expect(answers[1]?.removed).toMatchObject({ documents: 0, log_entries: 1 })
  })

  it('is done ten times when ten ask at once', async () => {
    const scopeId = await newScope()
    const answers = await Promise.all(Array.from({ length: 10 }, () => reset(scopeId)))
    const numbers = Array.from({ length: 10 }, (_, index) => index + 1)
    expect(answers.map(({ epoch }) => epoch).toSorted((a, b) => a - b)).toEqual(numbers)
    expect(answers.every(({ epoch, seq }) => seq === epoch + 1)).toBe(true)
  })
})

describe('resetScope: the log', () => {
  it('begins anew with what it did, and nothing of what was before', async () => {
    const scopeId = await newScope()
    await ingestAndWait(scopeId)
    const { seq, epoch, removed } = await reset(scopeId)
    const log = await readLog(tenant, scopeId)
    expect(log.map(({ type, data }) => [type, data])).toEqual([
      ['scope.reset', { tenant_id: tenant.tenantId, scope_id: scopeId, epoch, seq, removed }],
    ])
  })

  it('is told to whoever follows the scope, at the next place of its log', async () => {
    const scopeId = await newScope()
    await register(tenant, scopeId)
    using stream = await createSubject('streamOwnScopeEvents').open({
      headers: bearer(tenant.key),
      params: { scopeId },
      query: 'after=0',
    })
    await untilEvent(stream, 'the document', ({ type }) => type === 'document.registered')
    const { seq } = await reset(scopeId)
    const told = await untilEvent(stream, 'the reset', ({ type }) => type === 'scope.reset')
    expect(told.map(({ data }) => data.seq)).toEqual(Array.from({ length: seq }, (_, index) => index + 1))
    await register(tenant, scopeId)
    const more = await untilEvent(stream, 'what follows', ({ data }) => data.seq === seq + 1)
    expect(more.at(-1)?.type).toBe('document.registered')
  })
})

describe('resetScope: what comes after', () => {
  it('accepts the same document and the same idempotency key anew, at every process', async () => {
    const scopeId = await newScope()
    // Each process has written in the scope before, and so remembers how.
    const places = theTarget().urls.map((url) => ({
      url,
      body: { ...documentBody(scopeId), document_id: newDocumentId(), idempotency_key: randomUUID() },
    }))
    const send = (body: object, url: string) =>
      make('ingestDocument', { headers: asTenant(tenant), body, url })
    for (const { body, url } of places) await send(body, url)
    await untilAllEnded(tenant, scopeId)
    const { seq } = await reset(scopeId)
    for (const { body, url } of places) {
      const text = `Written after the reset, by way of ${url}.`
      expect((await send({ ...body, text }, url)).seq).toBeGreaterThan(seq)
      const document = await untilEnded(tenant, scopeId, body.document_id)
      expect(document).toMatchObject({ status: 'processed', version: 1, name: 'Annual report' })
      expect(document.versions).toHaveLength(1)
    }
  })

  it('finishes no work that was on its way', async () => {
    const scopeId = await newScope()
    const text = 'A sentence. '.repeat(8_000)
    for (let times = 0; times < 5; times += 1) await ingest(tenant, scopeId, { text })
    await reset(scopeId)
    // By the time a later one is done, those would have been.
    const later = await ingestAndWait(scopeId, { text })
    expect((await untilAllEnded(tenant, scopeId)).map((each) => each.document_id)).toEqual([later])
    const kinds = (await readLog(tenant, scopeId)).map(({ type, subject: about }) => [type, about])
    expect(kinds).toEqual([
      ['scope.reset', scopeId],
      ['document.queued', later],
      ['document.processing', later],
      ['document.processed', later],
      ['convergence.changed', scopeId],
    ])
  })

  it('leaves the scope of the same name of another tenant, and the others of its own, alone', async () => {
    const other = await createTenant()
    const [scopeId, neighbour] = [await newScope(), await newScope()]
    await createScope(other, scopeId)
    const documentId = newDocumentId()
    const places = [
      [other, scopeId],
      [tenant, neighbour],
      [tenant, scopeId],
    ] as const
    for (const [owner, scope] of places) {
      await ingest(owner, scope, { document_id: documentId })
      await untilEnded(owner, scope, documentId)
    }
    const read = async () => [
      await readDocument(other, scopeId, documentId),
      await readDocument(tenant, neighbour, documentId),
      await make('getOwnScope', { headers: bearer(other.key), params: { scopeId } }),
    ]
    const before = await read()
    await reset(scopeId)
    expect(await read()).toEqual(before)
    expect((await readLog(other, scopeId)).map(({ type }) => type)).toContain('document.processed')
  })
})

describeScopePlace(subject, ask)
describeParams(subject, good, 'scopeId')
describePlatformEntrance(subject, good)
describeTenantHeader(subject, good)
describeBodies(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)

/** removeDocument: what a document held is gone; the mark that it was there remains. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { kindsOf, readLog } from '../../events.ts'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeDocumentPlace, describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { attach, ingest, newDocumentId, readDocument, register, untilEnded } from '../../world/documents.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('removeDocument')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const ask = (documentId: string, scope = scopeId) => ({
  headers: bearer(tenant.key),
  params: { scopeId: scope, documentId },
})
const remove = async (documentId: string) => subject.expectAnswer(await subject.call(ask(documentId)), 200)
let spare: string | undefined

/** A document can be removed once, so there is a new one whenever a call has taken the last. */
async function good() {
  const left = spare !== undefined && (await readDocument(tenant, scopeId, spare)).status === 'registered'
  if (!left) spare = (await register(tenant, scopeId)).document_id
  return ask(spare ?? '')
}

async function ingestAndWait(fields: object = {}): Promise<string> {
  const documentId = newDocumentId()
  await ingest(tenant, scopeId, { document_id: documentId, ...fields })
  await untilEnded(tenant, scopeId, documentId)
  return documentId
}

describe('removeDocument: 200', () => {
  it('says how many versions went, and where the log tells of it', async () => {
    const documentId = await ingestAndWait()
    await ingest(tenant, scopeId, { document_id: documentId, text: 'Two.' })
    await untilEnded(tenant, scopeId, documentId)
    const answer = await remove(documentId)
    expect(answer).toEqual({
      scope_id: scopeId,
      document_id: documentId,
      removed: { versions: 2 },
      seq: expect.any(Number),
    })
    const log = await readLog(tenant, scopeId)
    expect(log.find(({ data }) => data.seq === answer.seq)).toMatchObject({
      type: 'document.removed',
      data: { document_id: documentId, version: 2 },
    })
  })

  it('leaves the mark that it was there, and nothing of what it held', async () => {
    const canary = `canary-${randomUUID()}`
    const documentId = newDocumentId()
    await attach(tenant, scopeId, {
      document_id: documentId,
      name: canary,
      source: canary,
      provenance: canary,
    })
    await remove(documentId)
    const document = await readDocument(tenant, scopeId, documentId)
    expect(document).toMatchObject({
      document_id: documentId,
      status: 'removed',
      source: null,
      provenance: null,
      error: null,
      versions: [],
    })
    expect(JSON.stringify(document)).not.toContain(canary)
  })

  it('takes a document without text', async () => {
    const { document_id: documentId } = await register(tenant, scopeId)
    expect((await remove(documentId)).removed).toEqual({ versions: 0 })
  })

  it('takes a document that waits for its work, which is then not done', async () => {
    const documentId = newDocumentId()
    await ingest(tenant, scopeId, { document_id: documentId, text: 'A sentence. '.repeat(8_000) })
    await remove(documentId)
    // By the time a later one is done, this one would have been.
    await ingestAndWait({ text: 'A sentence. '.repeat(8_000) })
    expect((await readDocument(tenant, scopeId, documentId)).status).toBe('removed')
    expect((await kindsOf(tenant, scopeId, documentId)).at(-1)).toBe('document.removed')
  })

  it('is done for one of ten who ask at once', async () => {
    const { document_id: documentId } = await register(tenant, scopeId)
    const replies = await Promise.all(Array.from({ length: 10 }, () => subject.call(ask(documentId))))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(9)
  })
})

describe('removeDocument: what comes after', () => {
  it('does not find it a second time', async () => {
    const { document_id: documentId } = await register(tenant, scopeId)
    await remove(documentId)
    subject.expectProblem(await subject.call(ask(documentId)), 'document_not_found')
  })

  it('accepts the same document anew', async () => {
    const fields = { source: 'mail', text: 'The same text.' }
    const documentId = await ingestAndWait(fields)
    const before = await ingest(tenant, scopeId, { document_id: documentId, ...fields })
    await remove(documentId)
    const after = await ingest(tenant, scopeId, { document_id: documentId, ...fields })
    expect(after.seq).toBeGreaterThan(before.seq ?? Infinity)
    const document = await untilEnded(tenant, scopeId, documentId)
    expect(document).toMatchObject({ status: 'processed', name: 'Annual report', source: 'mail' })
    expect(document.versions).toHaveLength(1)
    expect((await kindsOf(tenant, scopeId, documentId)).slice(-4)).toEqual([
      'document.removed',
      'document.queued',
      'document.processing',
      'document.processed',
    ])
  })

  it('can be removed again once it is there again', async () => {
    const { document_id: documentId } = await register(tenant, scopeId)
    await remove(documentId)
    await register(tenant, scopeId, { document_id: documentId })
    expect((await readDocument(tenant, scopeId, documentId)).status).toBe('registered')
    await remove(documentId)
  })
})

describeDocumentPlace(
  subject,
  () => tenant,
  (scope, documentId) => ask(documentId, scope),
)
describeScopePlace(subject, (scope) => ask('unknown', scope))
describeParams(subject, good, 'scopeId', 'documentId')
describeTenantEntrance(subject, good, () => tenant)
describeBodies(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)

/** deleteScope: a scope is gone with everything in it, and its id is free again. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { readLog } from '../../events.ts'
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
  untilAllEnded,
  untilEnded,
} from '../../world/documents.ts'
import { make } from '../../world/making.ts'
import { bringTo, move, scopeSwitch } from '../../world/runtime.ts'
import { asAdminOf, bearer, createScope, createTenant } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('deleteScope')
const own = createSubject('getOwnScope')
let tenant: Tenant
let spare: string | undefined

beforeAll(async () => {
  tenant = await createTenant()
})

const ask = (scopeId: string, owner = tenant) => ({ headers: asAdminOf(owner), params: { scopeId } })
const remove = async (scopeId: string) => subject.expectAnswer(await subject.call(ask(scopeId)), 200)
const newScope = async () => (await createScope(tenant)).scope_id

/** A scope can be deleted once, so there is a new one whenever a call has taken the last. */
async function good() {
  const left = spare !== undefined && (await isThere(spare))
  if (!left) spare = await newScope()
  return ask(spare ?? '')
}

async function isThere(scopeId: string): Promise<boolean> {
  return (await own.call({ headers: bearer(tenant.key), params: { scopeId } })).status === 200
}

describe('deleteScope: 200', () => {
  it('counts what went', async () => {
    const scopeId = await newScope()
    await ingest(tenant, scopeId, { idempotency_key: randomUUID() })
    await untilAllEnded(tenant, scopeId)
    expect(await remove(scopeId)).toEqual({
      scope_id: scopeId,
      // Created, queued, processing, processed, convergence changed.
      removed: { documents: 1, claims: 0, contradictions: 0, idempotency_records: 1, log_entries: 5 },
    })
  })

  it('is done for one of ten who ask at once', async () => {
    const scopeId = await newScope()
    const replies = await Promise.all(Array.from({ length: 10 }, () => subject.call(ask(scopeId))))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(9)
  })
})

describe('deleteScope: what comes after', () => {
  it('knows the scope no more, at any process', async () => {
    const scopeId = await newScope()
    for (const url of theTarget().urls)
      await make('ingestDocument', { headers: asTenant(tenant), body: documentBody(scopeId), url })
    await remove(scopeId)
    const ingesting = createSubject('ingestDocument')
    const listing = createSubject('listDocuments')
    const streaming = createSubject('streamOwnScopeEvents')
    for (const url of theTarget().urls) {
      const call = { headers: bearer(tenant.key), params: { scopeId }, url }
      own.expectProblem(await own.call(call), 'scope_not_found')
      listing.expectProblem(await listing.call(call), 'scope_not_found')
      streaming.expectProblem(await streaming.call(call), 'scope_not_found')
      const body = documentBody(scopeId)
      const refused = await ingesting.call({ headers: asTenant(tenant), body, url })
      ingesting.expectProblem(refused, 'scope_not_found')
    }
    subject.expectProblem(await subject.call(ask(scopeId)), 'scope_not_found')
    const { items } = await make('listScopes', { headers: asAdminOf(tenant), query: 'limit=100' })
    expect(items.map((each) => each.scope_id)).not.toContain(scopeId)
  })

  it('lets the same id be used for another scope, which every process writes and reads', async () => {
    const scopeId = await newScope()
    const body = documentBody(scopeId, { document_id: newDocumentId() })
    const send = (url: string, more: object) =>
      make('ingestDocument', { headers: asTenant(tenant), body: { ...body, ...more }, url })
    // Each process has written in the scope before, and so remembers how.
    for (const url of theTarget().urls) await send(url, { document_id: newDocumentId() })
    await untilAllEnded(tenant, scopeId)
    await remove(scopeId)
    await createScope(tenant, scopeId, 'Another one')
    expect(await untilAllEnded(tenant, scopeId)).toEqual([])
    for (const url of theTarget().urls) {
      const documentId = newDocumentId()
      await send(url, { document_id: documentId, name: 'Of the second', text: `Sent to ${url}.` })
      await untilEnded(tenant, scopeId, documentId)
      for (const reader of theTarget().urls) {
        const params = { scopeId, documentId }
        const read = await make('getDocument', { headers: bearer(tenant.key), params, url: reader })
        expect(read).toMatchObject({ status: 'processed', version: 1, name: 'Of the second' })
      }
    }
    expect((await readLog(tenant, scopeId))[0]?.type).toBe('scope.created')
  })

  it('hands no switch on to the next scope of that id', async () => {
    const scopeId = await newScope()
    await bringTo(scopeSwitch(tenant, scopeId), 'stopped')
    await remove(scopeId)
    await createScope(tenant, scopeId)
    expect(await move(scopeSwitch(tenant, scopeId), 'start')).toMatchObject({
      state: 'running',
      changed: false,
      changed_at: null,
    })
  })

  it('leaves the scope of the same name of another tenant alone', async () => {
    const other = await createTenant()
    const scopeId = await newScope()
    await createScope(other, scopeId)
    const documentId = newDocumentId()
    await ingest(other, scopeId, { document_id: documentId })
    const before = await untilEnded(other, scopeId, documentId)
    await remove(scopeId)
    expect(await readDocument(other, scopeId, documentId)).toEqual(before)
  })
})

describeScopePlace(subject, ask)
describeParams(subject, good, 'scopeId')
describePlatformEntrance(subject, good)
describeTenantHeader(subject, good)
describeBodies(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)

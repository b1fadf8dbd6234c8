/** createOwnScope: a tenant makes a scope with its own key, without an administrator. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { changeBody, describeReplay } from '../../rules/replay.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { ingest, newDocumentId, untilEnded } from '../../world/documents.ts'
import { make } from '../../world/making.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('createOwnScope')
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
})

const create = (body: unknown, owner = tenant) => subject.call({ headers: bearer(owner.key), body })
const good = () => ({ headers: bearer(tenant.key), body: { scope_id: newScopeId() } })

describe('createOwnScope: 201', () => {
  it('answers with the scope, and where to read it', async () => {
    const scopeId = newScopeId()
    const reply = await create({ scope_id: scopeId, display_name: 'Lease of the harbour office' })
    const scope = subject.expectAnswer(reply, 201)
    expect(scope).toEqual({
      scope_id: scopeId,
      display_name: 'Lease of the harbour office',
      epoch: expect.any(Number),
      created_at: expect.any(String),
    })
    expect(reply.headers['location']).toBe(`/api/scopes/${scopeId}`)
    const read = await make('getOwnScope', { headers: bearer(tenant.key), params: { scopeId } })
    expect(read).toMatchObject(scope)
  })

  it('takes documents from then on', async () => {
    const { scope_id: scopeId } = subject.expectAnswer(await subject.call(good()), 201)
    const documentId = newDocumentId()
    await ingest(tenant, scopeId, { document_id: documentId })
    expect(await untilEnded(tenant, scopeId, documentId)).toMatchObject({ status: 'processed' })
  })

  it('takes an id that another tenant uses, and neither sees the other one', async () => {
    const [other, scopeId] = [await createTenant(), newScopeId()]
    subject.expectAnswer(await create({ scope_id: scopeId, display_name: 'mine' }), 201)
    subject.expectAnswer(await create({ scope_id: scopeId, display_name: 'theirs' }, other), 201)
    const read = await make('getOwnScope', { headers: bearer(tenant.key), params: { scopeId } })
    expect(read.display_name).toBe('mine')
  })
})

describe('createOwnScope: 409', () => {
  it('does not make a scope twice, whoever made the first', async () => {
    const { scope_id: scopeId } = await createScope(tenant, newScopeId(), 'first')
    subject.expectProblem(await create({ scope_id: scopeId }), 'scope_exists')
  })

  it('lets one of many win that come at once', async () => {
    const scopeId = newScopeId()
    const replies = await Promise.all(Array.from({ length: 8 }, () => create({ scope_id: scopeId })))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(7)
  })
})

describe('createOwnScope: 422', () => {
  it.each(['', 'Acme', '-acme', 'a_b', 'a b', 'a/b', 'acme\n', 'a'.repeat(121), 1, null])(
    'refuses %j as an id',
    async (scopeId) => {
      const reply = await create({ scope_id: scopeId })
      subject.expectProblem(reply, 'validation_failed', { pointers: ['#/scope_id'] })
    },
  )

  it.each(['', '💠'.repeat(501), 1, null])('refuses a display name that is none (%#)', async (name) => {
    const reply = await create({ scope_id: newScopeId(), display_name: name })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/display_name'] })
  })

  it('takes no policy, which is for the administrator to write', async () => {
    const reply = await create({ scope_id: newScopeId(), policy: 'permit (principal, action, resource);' })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/policy'] })
  })
})

describeTenantEntrance(subject, good, () => tenant)
describeBodies(subject, good)
describeReplay(subject, good, changeBody({ display_name: 'Other' }))
describeEveryOperation(subject, good)
describeCompleteness(subject)

/** getContradiction: one contradiction by its id. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { sameForAll } from '../../problem-document.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject, withHeaders } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { contradict, contradictionsOf, REVENUES, tell } from '../../world/claims.ts'
import type { Contradiction } from '../../world/claims.ts'
import { remove } from '../../world/documents.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('getContradiction')
const scopeId = newScopeId()
let tenant: Tenant
let found: Contradiction

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  found = await openOne(tenant, scopeId)
})

async function openOne(owner: Tenant, scope: string): Promise<Contradiction> {
  await contradict(owner, scope)
  const [only] = await contradictionsOf(owner, scope)
  if (!only) throw new Error('Two documents that contradict each other were found to agree.')
  return only
}

const ask = (contradictionId: string, scope = scopeId) => ({
  headers: bearer(tenant.key),
  params: { scopeId: scope, contradictionId },
})
const good = () => ask(found.contradiction_id)

describe('getContradiction: 200', () => {
  it('shows exactly what the list shows', async () => {
    expect(subject.expectAnswer(await subject.call(good()), 200)).toEqual(found)
  })

  it('shows the same at every process, and changes nothing by that', async () => {
    const urls = [...theTarget().urls, ...theTarget().urls]
    const replies = await Promise.all(urls.map((url) => subject.call({ ...good(), url })))
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
    expect(new Set(replies.map((reply) => reply.headers['etag'])).size).toBe(1)
  })

  it('keeps its id when another document comes to say the same', async () => {
    const { scope_id: scope } = await createScope(tenant)
    const before = await openOne(tenant, scope)
    await tell(tenant, scope, REVENUES[0])
    const after = subject.expectAnswer(await subject.call(ask(before.contradiction_id, scope)), 200)
    expect(after).toMatchObject({ further: 1, opened_at: before.opened_at })
  })
})

describe('getContradiction: 304', () => {
  it('spares the body who has it', async () => {
    const tag = (await subject.call(good())).headers['etag'] ?? ''
    const reply = await subject.call(withHeaders(good(), { 'if-none-match': tag }))
    expect(reply).toMatchObject({ status: 304, text: '' })
  })
})

describe('getContradiction: 404', () => {
  it('does not know one that is not there', async () => {
    subject.expectProblem(await subject.call(ask(randomUUID())), 'contradiction_not_found')
  })

  it('does not know that of another tenant, and says so in the same words', async () => {
    const other = await createTenant()
    await createScope(other, scopeId)
    const foreign = await openOne(other, scopeId)
    const reply = await subject.call(ask(foreign.contradiction_id))
    subject.expectProblem(reply, 'contradiction_not_found')
    expect(sameForAll(reply)).toEqual(sameForAll(await subject.call(ask(randomUUID()))))
  })

  it('does not find in one scope what is in another', async () => {
    const { scope_id: elsewhere } = await createScope(tenant)
    const reply = await subject.call(ask(found.contradiction_id, elsewhere))
    subject.expectProblem(reply, 'contradiction_not_found')
  })

  it('does not know one any more of which a side was removed', async () => {
    const { scope_id: scope } = await createScope(tenant)
    const gone = await openOne(tenant, scope)
    await remove(tenant, scope, gone.a.document_id ?? '')
    subject.expectProblem(await subject.call(ask(gone.contradiction_id, scope)), 'contradiction_not_found')
  })
})

describeScopePlace(subject, (scope) => ask(found.contradiction_id, scope))
describeParams(subject, good, 'scopeId', 'contradictionId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)

/** getCertificate: the newest certificate of a scope, and whether it is current. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { declare, settledScope } from '../../world/certificates.ts'
import { ingest, remove } from '../../world/documents.ts'
import { make } from '../../world/making.ts'
import { asAdminOf, bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('getCertificate')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await settledScope(tenant, scopeId)
  await declare(tenant, scopeId)
})

const ask = (scope: string) => ({ headers: bearer(tenant.key), params: { scopeId: scope } })
const good = () => ask(scopeId)
const read = async (scope: string) => subject.expectAnswer(await subject.call(ask(scope)), 200)

describe('getCertificate: 200', () => {
  it('shows what was declared, the same at every process', async () => {
    const declared = await declare(tenant, scopeId)
    for (const url of theTarget().urls)
      expect(subject.expectAnswer(await subject.call({ ...good(), url }), 200)).toEqual(declared)
  })

  it('stays current when switches are moved', async () => {
    const scope = await settledScope(tenant)
    await declare(tenant, scope)
    for (const name of ['pauseRuntime', 'resumeRuntime'] as const)
      await make(name, { headers: asAdminOf(tenant), body: { scope_id: scope } })
    expect(await read(scope)).toMatchObject({ current: true, reopened_at: null })
  })

  it('is not current from the moment on in which a document is accepted', async () => {
    const scope = await settledScope(tenant)
    const { certificate } = await declare(tenant, scope)
    const { seq } = await ingest(tenant, scope)
    expect(await read(scope)).toMatchObject({ certificate, current: false, reopened_at: seq })
  })

  it('is not current once a document was removed', async () => {
    const scope = await settledScope(tenant)
    await declare(tenant, scope)
    const { seq } = await remove(tenant, scope, 'document-0')
    expect(await read(scope)).toMatchObject({ current: false, reopened_at: seq })
  })
})

describe('getCertificate: 404', () => {
  it('does not know one of a scope that was never declared settled', async () => {
    const { scope_id: scope } = await createScope(tenant)
    subject.expectProblem(await subject.call(ask(scope)), 'certificate_not_found')
  })

  it('does not know one from before a reset', async () => {
    const scope = await settledScope(tenant)
    await declare(tenant, scope)
    await make('resetScope', { headers: asAdminOf(tenant), params: { scopeId: scope } })
    subject.expectProblem(await subject.call(ask(scope)), 'certificate_not_found')
  })
})

describeScopePlace(subject, ask)
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)

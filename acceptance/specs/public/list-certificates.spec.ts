/** listCertificates: the chain of a scope. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePages, firstCursor } from '../../rules/pages.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { AGREEING, declare, settledScope } from '../../world/certificates.ts'
import type { Issued } from '../../world/certificates.ts'
import { remove } from '../../world/documents.ts'
import { tell } from '../../world/claims.ts'
import { asAdmin, bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('listCertificates')
const tenants = createSubject('listTenants')
const scopeId = newScopeId()
const chain: Issued[] = []
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await settledScope(tenant, scopeId)
  chain.push(await declare(tenant, scopeId))
  for (const id of ['b', 'c', 'd']) {
    await tell(tenant, scopeId, AGREEING[1], id)
    chain.push(await declare(tenant, scopeId))
  }
})

const ask = (scope: string) => ({ headers: bearer(tenant.key), params: { scopeId: scope } })
const good = () => ask(scopeId)
const list = async (scope = scopeId) => subject.expectAnswer(await subject.call(ask(scope)), 200)

describe('listCertificates: 200', () => {
  it('shows all of them, oldest first, each with the hash that the next one names', async () => {
    const { items } = await list()
    expect(items.map(({ certificate }) => certificate)).toEqual(chain.map(({ certificate }) => certificate))
    expect(items.slice(1).map(({ certificate }) => certificate.previous?.hash)).toEqual(
      items.slice(0, -1).map(({ hash }) => hash),
    )
  })

  it('shows that only the last one is current, and where each of the others was reopened', async () => {
    const { items } = await list()
    expect(items.map(({ current }) => current)).toEqual([false, false, false, true])
    expect(items.slice(0, -1).map(({ reopened_at: at }) => at)).toEqual(
      items.slice(1).map(({ certificate }) => certificate.previous?.reopened_at),
    )
  })

  it('shows of the last one what a document did that came or went after it', async () => {
    const scope = await settledScope(tenant)
    await declare(tenant, scope)
    const { seq } = await remove(tenant, scope, 'document-1')
    expect((await list(scope)).items).toEqual([expect.objectContaining({ current: false, reopened_at: seq })])
  })

  it('is empty for a scope that was never declared settled', async () => {
    const { scope_id: scope } = await createScope(tenant)
    expect(await list(scope)).toEqual({ items: [], next_cursor: null })
  })
})

describePages<Issued>(subject, {
  list: good,
  idOf: ({ certificate }) => certificate.about.certificate_id,
  present: () => chain.map(({ certificate }) => certificate.about.certificate_id),
  foreignCursor: () => firstCursor(tenants, { headers: asAdmin() }),
})
describeScopePlace(subject, ask)
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)

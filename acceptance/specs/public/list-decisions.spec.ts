/** listDecisions: what was decided in a scope, by whom and why. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePages, firstCursor } from '../../rules/pages.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import type { Contradiction } from '../../world/claims.ts'
import { decide, decisionsOf, DISMISSED, openOne, REOPENED } from '../../world/decisions.ts'
import type { ReportedDecision } from '../../world/decisions.ts'
import { remove } from '../../world/documents.ts'
import { asAdmin, bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('listDecisions')
const scopeId = newScopeId()
let tenant: Tenant
let found: Contradiction

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  found = await openOne(tenant, scopeId)
  for (const body of [DISMISSED, { ...REOPENED, by: 'Jo Doe' }, DISMISSED])
    await decide(tenant, scopeId, found.contradiction_id, body)
})

const good = () => ({ headers: bearer(tenant.key), params: { scopeId } })
const list = (query = '') => decisionsOf(tenant, scopeId, query)

describe('listDecisions: 200', () => {
  it('lists them newest first, with who and why', async () => {
    const items = await list('decided_by=person')
    expect(items.map(({ result, by, reason }) => [result, by, reason])).toEqual([
      ['dismissed', null, DISMISSED.reason],
      ['reopened', 'Jo Doe', REOPENED.reason],
      ['dismissed', null, DISMISSED.reason],
    ])
    expect(items[1]).toEqual({
      decision_id: expect.any(String),
      scope_id: scopeId,
      point: 'settle_contradiction',
      result: 'reopened',
      contradiction_id: found.contradiction_id,
      document_ids: [found.a.document_id, found.b.document_id],
      holds: null,
      decided_by: 'person',
      actor: expect.any(String),
      by: 'Jo Doe',
      reason: REOPENED.reason,
      policies: [],
      policy_hash: null,
      seq: expect.any(Number),
      decided_at: expect.any(String),
    })
  })

  it('lists a part of them', async () => {
    const all = await list('decided_by=person')
    expect(await list(`contradiction_id=${found.contradiction_id}`)).toEqual(all)
    expect(await list(`contradiction_id=${randomUUID()}`)).toEqual([])
    expect(await list(`document_id=${found.a.document_id}&point=settle_contradiction`)).toEqual(all)
    expect(await list('document_id=other')).toEqual([])
    expect(await list('point=settle_contradiction')).toEqual(all)
    expect(await list('decided_by=evidence')).toEqual([])
  })

  it('lists what policies allowed, by which policies', async () => {
    const admitted = await list('point=admit_document')
    expect(admitted.flatMap((each) => each.document_ids)).toEqual(
      expect.arrayContaining([found.a.document_id, found.b.document_id]),
    )
    for (const each of admitted)
      expect(each).toMatchObject({
        result: 'allowed',
        decided_by: 'policy',
        policies: [expect.any(String)],
        policy_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        by: null,
      })
  })

  it('keeps those of what is withdrawn, and shows nothing of another tenant', async () => {
    const { scope_id: scope } = await createScope(tenant)
    const gone = await openOne(tenant, scope)
    await decide(tenant, scope, gone.contradiction_id, DISMISSED)
    await remove(tenant, scope, gone.a.document_id ?? '')
    expect(await decisionsOf(tenant, scope, 'decided_by=person')).toHaveLength(1)
    const other = await createTenant()
    await createScope(other, scope)
    expect(await decisionsOf(other, scope, `contradiction_id=${gone.contradiction_id}`)).toEqual([])
  })
})

describe('listDecisions: 422', () => {
  it.each([
    ['point', 'anywhere'],
    ['decided_by', 'me'],
    ['contradiction_id', 'x'],
    ['document_id', ''],
  ])('refuses %s as %s', async (name, value) => {
    const reply = await subject.call({ ...good(), query: `${name}=${value}` })
    subject.expectProblem(reply, 'validation_failed', { pointers: [`query#/${name}`] })
  })
})

describePages<ReportedDecision>(subject, {
  list: good,
  idOf: (item) => item.decision_id,
  present: () => [],
  anyId: true,
  foreignCursor: async () => {
    await createTenant()
    return firstCursor(createSubject('listTenants'), { headers: asAdmin() })
  },
})
describeScopePlace(subject, (scope) => ({ ...good(), params: { scopeId: scope } }))
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)

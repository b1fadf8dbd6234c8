/** declareSettled: a scope that is settled is declared so, and a signed statement comes of it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { changeBody, describeReplay } from '../../rules/replay.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { AGREEING, permitRules, settledScope } from '../../world/certificates.ts'
import { contradict, contradictionsOf, tell } from '../../world/claims.ts'
import { make } from '../../world/making.ts'
import { asAdminOf, bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('declareSettled')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await settledScope(tenant, scopeId)
})

const ask = (scope: string, body?: object) => ({
  headers: bearer(tenant.key),
  params: { scopeId: scope },
  ...(body && { body }),
})
const GERMAN =
  'Die Borealis GmbH hatte im Jahr 2025 einen Umsatz von 12,4 Millionen Euro, und der Vertrag endet im Juni 2027.'
const good = () => ask(scopeId, { by: 'A. Auditor', reason: 'All is said.' })

describe('declareSettled: 201', () => {
  it('answers with a certificate of what there is, without a word of it', async () => {
    const scope = await settledScope(tenant)
    const body = { by: 'Quintessa', reason: 'Zephyr' }
    const reply = await subject.call(ask(scope, body))
    const { certificate, ...issued } = subject.expectAnswer(reply, 201)
    expect(issued).toMatchObject({ current: true, reopened_at: null })
    expect(certificate.about).toMatchObject({
      tenant_id: tenant.tenantId,
      scope_id: scope,
      epoch: 0,
      number: 1,
    })
    expect(certificate.evidence).toMatchObject({ documents: AGREEING.length, contradictions: 0 })
    expect(certificate.evidence.claims).toBeGreaterThanOrEqual(AGREEING.length)
    expect(certificate.scores).toMatchObject({ state: 'settled', score: 1 })
    const characters = AGREEING.join('').length
    expect(certificate).toMatchObject({
      format: 'concord-certificate/2',
      reading: {
        readers: [{ reader: 'rules', documents: AGREEING.length }],
        coverage: 1,
        characters,
        characters_read: characters,
        documents_with_gaps: 0,
        claims: certificate.evidence.claims,
        claims_compared: expect.toSatisfy((compared: number) => compared >= AGREEING.length),
        comparisons_incomplete: 0,
      },
    })
    expect(certificate.previous).toBeNull()
    expect(reply.text).not.toMatch(/Quintessa|Zephyr|Borealis|document-0/)
    expect(reply.headers['location']).toBe(`/api/scopes/${scope}/certificate`)
  })

  it('follows the one before it, and says where new evidence came', async () => {
    const scope = await settledScope(tenant)
    const first = subject.expectAnswer(await subject.call(ask(scope)), 201)
    await tell(tenant, scope, 'Borealis Ltd had 412 employees at the end of 2025.')
    const second = subject.expectAnswer(await subject.call(ask(scope)), 201)
    expect(second.certificate.about.number).toBe(2)
    expect(second.certificate.previous).toEqual({
      certificate_id: first.certificate.about.certificate_id,
      hash: first.hash,
      reopened_at: expect.any(Number),
    })
    expect(second.certificate.previous?.reopened_at).toBeGreaterThan(first.certificate.about.log_position)
    expect(second.certificate.evidence.root).not.toBe(first.certificate.evidence.root)
  })

  it('is possible once what was open is resolved', async () => {
    const { scope_id: scope } = await createScope(tenant)
    await permitRules(tenant, scope)
    await contradict(tenant, scope)
    const [open] = await contradictionsOf(tenant, scope)
    await make('resolveContradiction', {
      headers: bearer(tenant.key),
      params: { scopeId: scope, contradictionId: open?.contradiction_id ?? '' },
      body: { outcome: 'resolved', holds: 'a', reason: 'It was audited.' },
    })
    const { certificate } = subject.expectAnswer(await subject.call(ask(scope)), 201)
    expect(certificate.evidence).toMatchObject({ contradictions: 1 })
    expect(certificate.evidence.decisions).toBeGreaterThanOrEqual(1)
  })
})

describe('declareSettled: 200', () => {
  it('answers with the certificate that is there while nothing has changed, at every process', async () => {
    const scope = await settledScope(tenant)
    const first = subject.expectAnswer(await subject.call(ask(scope)), 201)
    for (const url of theTarget().urls) {
      const reply = await subject.call({ ...ask(scope, { reason: 'Once more.' }), url })
      expect(subject.expectAnswer(reply, 200)).toEqual(first)
    }
  })

  it('makes one certificate of many declarations at once', async () => {
    const scope = await settledScope(tenant)
    const replies = await Promise.all(Array.from({ length: 8 }, () => subject.call(ask(scope))))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(7)
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  })
})

describe('declareSettled: 409', () => {
  it('refuses a scope in which nothing was read', async () => {
    const { scope_id: scope } = await createScope(tenant)
    subject.expectProblem(await subject.call(ask(scope)), 'not_settled', { pointers: ['/documents'] })
  })

  it('names the contradictions that are open', async () => {
    const { scope_id: scope } = await createScope(tenant)
    await contradict(tenant, scope)
    const [open] = await contradictionsOf(tenant, scope)
    subject.expectProblem(await subject.call(ask(scope)), 'not_settled', {
      pointers: [`/contradictions/${open?.contradiction_id}`],
    })
  })

  it('refuses what only the rule reader has read, unless a policy permits it by name', async () => {
    const scope = await settledScope(tenant)
    await make('removeScopePolicy', { headers: asAdminOf(tenant), params: { scopeId: scope } })
    const reply = await subject.call(ask(scope))
    subject.expectProblem(reply, 'refused_by_policy', { pointers: ['/documents'] })
    expect(reply.text).toContain('Only the rule reader has read these documents')
    await permitRules(tenant, scope)
    subject.expectAnswer(await subject.call(ask(scope)), 201)
  })

  it('names the documents that were not read, though a policy permits the reader', async () => {
    const scope = await settledScope(tenant)
    await tell(tenant, scope, GERMAN, 'foreign')
    await tell(tenant, scope, 'Good morning.', 'greeting')
    subject.expectProblem(await subject.call(ask(scope)), 'not_settled', {
      pointers: ['/documents/foreign', '/documents/greeting'],
    })
  })

  it('refuses a scope in which hardly anything was compared', async () => {
    const { scope_id: scope } = await createScope(tenant)
    await permitRules(tenant, scope)
    await tell(tenant, scope, AGREEING[0])
    const reply = await subject.call(ask(scope))
    subject.expectProblem(reply, 'not_settled', { pointers: ['/claims'] })
    expect(reply.text).toMatch(/Only 0 of \d+ claims were compared/)
  })

  it('refuses what a policy forbids, and names the policy', async () => {
    const scope = await settledScope(tenant)
    await make('putScopePolicy', {
      headers: asAdminOf(tenant),
      params: { scopeId: scope },
      body: {
        text: '@id("never") forbid (principal, action == Concord::Action::"settle_scope", resource);',
      },
    })
    subject.expectProblem(await subject.call(ask(scope)), 'refused_by_policy', {
      pointers: ['/policies/scope~1never'],
    })
  })
})

describe('declareSettled: 422', () => {
  it.each([
    ['by', ''],
    ['by', 'a'.repeat(201)],
    ['reason', ''],
    ['reason', '💠'.repeat(2_001)],
    ['reason', 1],
  ])('refuses as %s: %j', async (name, value) => {
    const reply = await subject.call(ask(scopeId, { [name]: value }))
    subject.expectProblem(reply, 'validation_failed', { pointers: [`#/${name}`] })
  })
})

describeScopePlace(subject, (scope) => ask(scope))
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeBodies(subject, good)
describeReplay(
  subject,
  async () => ask(await settledScope(tenant), { reason: 'All is said.' }),
  changeBody({ reason: 'Another reason.' }),
)
describeEveryOperation(subject, good)
describeCompleteness(subject)

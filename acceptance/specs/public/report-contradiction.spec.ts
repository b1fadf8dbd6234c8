/** reportContradiction: a person or another system says that two things cannot both hold. */
import { beforeAll, describe, expect, it } from 'vitest'
import { readLog } from '../../events.ts'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { changeBody, describeReplay } from '../../rules/replay.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { contradictionsOf } from '../../world/claims.ts'
import { decide, DISMISSED } from '../../world/decisions.ts'
import { register, remove } from '../../world/documents.ts'
import { make } from '../../world/making.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('reportContradiction')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const REPORT = {
  claim_a: 'The lease ends in 2031.',
  source_a: 'The lease',
  claim_b: 'The lease ends in 2029.',
  source_b: 'Letter of the landlord',
  severity: 'medium',
} as const

const ask = (scope = scopeId, changed: object = {}) => ({
  headers: bearer(tenant.key),
  body: { scope_id: scope, ...REPORT, ...changed },
})
const good = () => ask()
const newScope = async () => (await createScope(tenant)).scope_id

describe('reportContradiction: 201', () => {
  it('keeps what was said, and no more than that', async () => {
    const scope = await newScope()
    const reply = await subject.call(ask(scope, { note: 'Ask the lawyers.' }))
    const made = subject.expectAnswer(reply, 201)
    const side = {
      document_id: null,
      version: null,
      claim_id: null,
      start: null,
      end: null,
      value: null,
      location: null,
      asserted_at: null,
    }
    expect(made).toMatchObject({
      scope_id: scope,
      status: 'open',
      relation: 'conflict',
      kind: 'reported',
      severity: 'medium',
      entity: null,
      confidence: null,
      a: { ...side, source: REPORT.source_a, quote: REPORT.claim_a },
      b: { ...side, source: REPORT.source_b, quote: REPORT.claim_b },
      difference: null,
      note: 'Ask the lawyers.',
      resolution: null,
    })
    expect(tenant.key).toContain(made.decided_by)
    const address = `/api/scopes/${scope}/contradictions/${made.contradiction_id}`
    expect(reply.headers['location']).toBe(address)
    expect(await contradictionsOf(tenant, scope, 'kind=reported')).toEqual([made])
    const params = { scopeId: scope, contradictionId: made.contradiction_id }
    expect(await make('getContradiction', { headers: bearer(tenant.key), params })).toEqual(made)
  })

  it('is told and counted like those that are found', async () => {
    const scope = await newScope()
    const made = subject.expectAnswer(await subject.call(ask(scope)), 201)
    const event = (await readLog(tenant, scope)).findLast(({ type }) => type !== 'convergence.changed')
    expect(event).toMatchObject({ type: 'contradiction.opened', subject: made.contradiction_id })
    expect(JSON.stringify(event)).not.toMatch(/lease|landlord/i)
    const { contradictions } = await make('getOwnScope', {
      headers: bearer(tenant.key),
      params: { scopeId: scope },
    })
    expect(contradictions).toMatchObject({ total: 1, by_kind: { reported: 1 }, newest: [made] })
  })

  it('names the document whose id a source is, and stays when that is removed', async () => {
    const scope = await newScope()
    const { document_id: id } = await register(tenant, scope)
    const made = subject.expectAnswer(await subject.call(ask(scope, { source_a: id })), 201)
    expect([made.a.document_id, made.b.document_id]).toEqual([id, null])
    expect(await contradictionsOf(tenant, scope, `document_id=${id}`)).toEqual([made])
    await remove(tenant, scope, id)
    expect(await contradictionsOf(tenant, scope)).toEqual([made])
  })
})

describe('reportContradiction: sources by name', () => {
  it('links a source to the one document that has this name, and to none of several', async () => {
    const scope = await newScope()
    const { document_id: lease } = await register(tenant, scope, { name: 'The lease.pdf' })
    await register(tenant, scope, { name: 'Letter' })
    await register(tenant, scope, { name: 'Letter' })
    const named = { source_a: 'The lease.pdf', source_b: 'Letter' }
    const made = subject.expectAnswer(await subject.call(ask(scope, named)), 201)
    expect([made.a, made.b]).toMatchObject([
      { source: 'The lease.pdf', document_id: lease },
      { source: 'Letter', document_id: null },
    ])
  })
})

describe('reportContradiction: 200', () => {
  it('answers the same pair, in either order, with what is there', async () => {
    const scope = await newScope()
    const made = subject.expectAnswer(await subject.call(ask(scope)), 201)
    const turned = {
      claim_a: REPORT.claim_b,
      source_a: REPORT.source_b,
      claim_b: REPORT.claim_a,
      source_b: REPORT.source_a,
      severity: 'low',
      note: 'Again.',
    }
    for (const changed of [{}, turned])
      expect(subject.expectAnswer(await subject.call(ask(scope, changed)), 200)).toEqual(made)
    const decided = await decide(tenant, scope, made.contradiction_id, DISMISSED)
    expect(subject.expectAnswer(await subject.call(ask(scope)), 200)).toEqual(decided)
    expect(await contradictionsOf(tenant, scope)).toHaveLength(1)
  })

  it('makes one, however many report it at once', async () => {
    const scope = await newScope()
    const replies = await Promise.all(Array.from({ length: 8 }, () => subject.call(ask(scope))))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(7)
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  })
})

describe('reportContradiction: 422', () => {
  it.each([
    ['claim_a', ''],
    ['claim_b', 'x'.repeat(2001)],
    ['source_a', ''],
    ['source_b', 'x'.repeat(201)],
    ['severity', 'urgent'],
    ['note', ''],
    ['scope_id', 'Not A Scope'],
  ])('refuses %s as %s', async (name, value) => {
    const reply = await subject.call(ask(scopeId, { [name]: value }))
    subject.expectProblem(reply, 'validation_failed', { pointers: [`#/${name}`] })
  })
})

describe('reportContradiction: one statement', () => {
  const same = { claim_b: REPORT.claim_a, source_b: REPORT.source_a }

  it('refuses a statement that contradicts itself', async () => {
    const reply = await subject.call(ask(scopeId, same))
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/claim_b'], rules: ['same_statement'] })
  })

  it('takes the same words from two sources', async () => {
    const reply = await subject.call(ask(await newScope(), { claim_b: REPORT.claim_a }))
    subject.expectAnswer(reply, 201)
  })
})

describeScopePlace(subject, (scope) => ask(scope))
describeTenantEntrance(subject, good, () => tenant)
describeBodies(subject, good)
describeReplay(subject, async () => ask(await newScope()), changeBody({ severity: 'high' }))
describeEveryOperation(subject, good)
describeCompleteness(subject)

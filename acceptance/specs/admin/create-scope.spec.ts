/** createScope: a new scope for the tenant whose key is sent. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { changeBody, describeReplay } from '../../rules/replay.ts'
import { describeTenantHeader } from '../../rules/tenant-header.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { untilEnded } from '../../world/documents.ts'
import { make } from '../../world/making.ts'
import { ingestDraft, NO_DRAFTS } from '../../world/policies.ts'
import { asAdminOf, bearer, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('createScope')
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
})

const create = (body: unknown, owner = tenant) => subject.call({ headers: asAdminOf(owner), body })
const good = () => ({ headers: asAdminOf(tenant), body: { scope_id: newScopeId() } })

async function readScope(scopeId: string, { key }: Tenant = tenant): Promise<Record<string, unknown>> {
  const reply = await subject.call({ method: 'GET', path: `/api/scopes/${scopeId}`, headers: bearer(key) })
  return JSON.parse(reply.text) as Record<string, unknown>
}

describe('createScope: 201', () => {
  it('answers with the scope and nothing else', async () => {
    const scopeId = newScopeId()
    const body = subject.expectAnswer(
      await create({ scope_id: scopeId, display_name: 'Acme: purchase' }),
      201,
    )
    expect(body).toEqual({
      scope_id: scopeId,
      display_name: 'Acme: purchase',
      epoch: expect.any(Number),
      created_at: expect.any(String),
    })
  })

  it('says in Location where the tenant reads it, and that is what it reads', async () => {
    const scopeId = newScopeId()
    const reply = await create({ scope_id: scopeId })
    const scope = subject.expectAnswer(reply, 201)
    expect(reply.headers['location']).toBe(`/api/scopes/${scopeId}`)
    expect(await readScope(scopeId)).toMatchObject(scope)
  })

  it('has the policy that came with it from its first document on', async () => {
    const scopeId = newScopeId()
    subject.expectAnswer(await create({ scope_id: scopeId, policy: NO_DRAFTS }), 201)
    const written = await make('getScopePolicy', { headers: asAdminOf(tenant), params: { scopeId } })
    expect(written).toMatchObject({ scope_id: scopeId, version: 1, text: NO_DRAFTS })
    const documentId = await ingestDraft(tenant, scopeId)
    expect(await untilEnded(tenant, scopeId, documentId)).toMatchObject({ status: 'held' })
  })

  it('has no display name when none is given', async () => {
    expect(subject.expectAnswer(await subject.call(good()), 201).display_name).toBeNull()
  })

  it.each(['a', '0', 'a-', 'a--b', '0-9', 'a'.repeat(120), 'b-'.repeat(60)])(
    'takes the id %s',
    async (scopeId) => {
      expect(subject.expectAnswer(await create({ scope_id: scopeId }), 201).scope_id).toBe(scopeId)
      expect(await readScope(scopeId)).toMatchObject({ scope_id: scopeId })
    },
  )

  it.each(['a', ' ', '💠'.repeat(500), 'Cafe\u0301 \u202e', `'"; <b>`])(
    'keeps a display name as it is (%#)',
    async (name) => {
      const scopeId = newScopeId()
      subject.expectAnswer(await create({ scope_id: scopeId, display_name: name }), 201)
      expect(await readScope(scopeId)).toMatchObject({ display_name: name })
    },
  )

  it('opens for an internals key beside the tenant key', async () => {
    const headers = { ...bearer(theTarget().internalsKey), 'x-tenant-api-key': tenant.key }
    subject.expectAnswer(await subject.call({ ...good(), headers }), 201)
  })

  it('takes an id that another tenant uses', async () => {
    const [other, scopeId] = [await createTenant(), newScopeId()]
    subject.expectAnswer(await create({ scope_id: scopeId, display_name: 'mine' }), 201)
    subject.expectAnswer(await create({ scope_id: scopeId, display_name: 'theirs' }, other), 201)
    expect(await readScope(scopeId)).toMatchObject({ display_name: 'mine' })
    expect(await readScope(scopeId, other)).toMatchObject({ display_name: 'theirs' })
  })
})

describe('createScope: 409', () => {
  it('does not create a scope twice, and leaves the first as it is', async () => {
    const scopeId = newScopeId()
    const first = subject.expectAnswer(await create({ scope_id: scopeId, display_name: 'first' }), 201)
    subject.expectProblem(await create({ scope_id: scopeId, display_name: 'second' }), 'scope_exists')
    subject.expectProblem(await create({ scope_id: scopeId }), 'scope_exists')
    expect(await readScope(scopeId)).toMatchObject(first)
  })

  it('lets one of many win that come at once to several processes', async () => {
    const scopeId = newScopeId()
    const replies = await Promise.all(Array.from({ length: 12 }, () => create({ scope_id: scopeId })))
    const created = replies.filter((reply) => reply.status === 201)
    expect(created).toHaveLength(1)
    for (const reply of replies.filter((each) => !created.includes(each)))
      subject.expectProblem(reply, 'scope_exists')
  })
})

describe('createScope: 422', () => {
  it.each([
    'permit everything',
    '@id("other")\npermit (principal, action == Concord::Action::"fly", resource);',
  ])('refuses a policy that is none, says where, and makes no scope (%#)', async (policy) => {
    const scopeId = newScopeId()
    const reply = await create({ scope_id: scopeId, policy })
    subject.expectProblem(reply, 'policy_invalid', { pointers: ['#/policy'] })
    subject.expectAnswer(await create({ scope_id: scopeId }), 201)
  })

  it.each([
    ['nothing', '', 'too_short'],
    ['a capital', 'Acme', 'pattern_mismatch'],
    ['a hyphen in front', '-acme', 'pattern_mismatch'],
    ['an underscore', 'a_b', 'pattern_mismatch'],
    ['a dot', 'a.b', 'pattern_mismatch'],
    ['a space', 'a b', 'pattern_mismatch'],
    ['a slash', 'a/b', 'pattern_mismatch'],
    ['a line break at its end', 'acme\n', 'pattern_mismatch'],
    ['a letter of another alphabet', 'аcme', 'pattern_mismatch'],
    ['121 characters', 'a'.repeat(121), 'too_long'],
    ['U+0000', 'acme\0', 'invalid_character'],
    ['half of a pair', 'acme\ud83d', 'invalid_character'],
  ])('refuses an id with %s', async (_, scopeId, rule) => {
    const reply = await create({ scope_id: scopeId })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/scope_id'], rules: [rule] })
  })

  it.each([1, null, true, ['acme'], {}])('does not turn %j into an id', async (scopeId) => {
    subject.expectProblem(await create({ scope_id: scopeId }), 'validation_failed', {
      pointers: ['#/scope_id'],
    })
  })

  it.each(['', '💠'.repeat(501), 'a\0', '\udca0', 1, null, false, ['Acme']])(
    'refuses a display name that is none (%#)',
    async (name) => {
      const reply = await create({ scope_id: newScopeId(), display_name: name })
      subject.expectProblem(reply, 'validation_failed', { pointers: ['#/display_name'] })
    },
  )

  it('asks for the id', async () => {
    subject.expectProblem(await create({}), 'validation_failed', { pointers: ['#/scope_id'] })
  })

  it('asks for a body', async () => {
    const reply = await subject.call({ headers: asAdminOf(tenant) })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#'] })
  })

  it('tells all faults at once', async () => {
    const reply = await create({ scope_id: 'A', display_name: '', epoch: 7 })
    subject.expectProblem(reply, 'validation_failed', {
      pointers: ['#/scope_id', '#/display_name', '#/epoch'],
    })
  })
})

describeTenantHeader(subject, good)
describePlatformEntrance(subject, good)
describeBodies(subject, good)
describeReplay(subject, good, changeBody({ display_name: 'Other' }))
describeEveryOperation(subject, good)
describeCompleteness(subject)

/** Policies of a tenant, and of a scope: the same three routes on either. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { ServedName } from '@concord/contract'
import type { SubjectCall, Subject } from '../subject.ts'
import { make } from '../world/making.ts'
import { NO_DRAFTS } from '../world/policies.ts'
import { asAdminOf, createScope, createTenant, newScopeId } from '../world/tenants.ts'
import type { Tenant } from '../world/tenants.ts'
import { describeBodies } from './bodies.ts'
import { describeCompleteness, describeEveryOperation } from './every-operation.ts'
import { describeParams } from './params.ts'
import { describeScopePlace } from './places.ts'
import { describePlatformEntrance } from './platform-entrance.ts'
import { describeTenantHeader } from './tenant-header.ts'

type PolicyOperation = Extract<ServedName, `${string}Policy`>

export interface PolicyPlace {
  /** Makes a tenant, and a scope where there is one, with no policy of their own. */
  readonly fresh: () => Promise<SubjectCall>
  readonly call: <Name extends PolicyOperation>(
    name: Name,
    at: SubjectCall,
    body?: object,
  ) => ReturnType<typeof make<Name>>
  readonly scopeOf: (at: SubjectCall) => string | null
}

export function describePolicyRoute(
  subject: Subject,
  options: { readonly scoped: boolean; readonly body?: object },
  describeAnswers: (place: PolicyPlace) => void,
): void {
  const { scoped, body } = options
  const scopeId = newScopeId()
  let tenant: Tenant

  beforeAll(async () => {
    tenant = await createTenant()
    await createScope(tenant, scopeId)
  })

  const ask = (owner: Tenant, scope: string): SubjectCall => ({
    headers: asAdminOf(owner),
    ...(scoped && { params: { scopeId: scope } }),
    ...(body && { body }),
  })
  const good = () => ask(tenant, scopeId)

  describeAnswers({
    async fresh() {
      const owner = await createTenant()
      const { scope_id: scope } = await createScope(owner)
      const { body: _none, ...at } = ask(owner, scope)
      return at
    },
    async call(name, at, sent) {
      const whole = { ...at, ...(sent && { body: sent }) }
      if (name !== subject.operation.name) return make(name, whole)
      return subject.expectForm(await subject.call(whole), 200) as Awaited<
        ReturnType<typeof make<typeof name>>
      >
    },
    scopeOf: ({ params }) => params?.['scopeId'] ?? null,
  })
  if (scoped) {
    describeScopePlace(subject, (scope) => ask(tenant, scope))
    describeParams(subject, good, 'scopeId')
  }
  describePlatformEntrance(subject, good)
  describeTenantHeader(subject, good)
  if (subject.operation.method !== 'GET') describeBodies(subject, good)
  describeEveryOperation(subject, good)
  describeCompleteness(subject)
}

export interface PolicyNames {
  readonly get: PolicyOperation
  readonly put: PolicyOperation
  readonly remove: PolicyOperation
}

export function describeReadPolicy(
  subject: Subject,
  { get, put }: PolicyNames,
  { fresh, call, scopeOf }: PolicyPlace,
): void {
  describe(`${subject.operation.name}: 200`, () => {
    it('shows what ships while none was written', async () => {
      const at = await fresh()
      expect(await call(get, at)).toEqual({
        scope_id: scopeOf(at),
        version: 0,
        text: '',
        policy_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        created_at: null,
        created_by: null,
        default_text: expect.stringContaining('@id('),
        versions: [],
      })
    })

    it('shows what was written last', async () => {
      const at = await fresh()
      const written = await call(put, at, { text: NO_DRAFTS })
      expect(await call(get, at)).toEqual(written)
    })
  })
}

export function describeWritePolicy(
  subject: Subject,
  { put }: PolicyNames,
  { fresh, call }: PolicyPlace,
): void {
  describe(`${subject.operation.name}: 200`, () => {
    it('keeps the text as a new version, and the same text again changes nothing', async () => {
      const at = await fresh()
      const first = await call(put, at, { text: NO_DRAFTS })
      expect(first).toMatchObject({ version: 1, text: NO_DRAFTS, versions: [{ version: 1, empty: false }] })
      expect(await call(put, at, { text: NO_DRAFTS })).toEqual(first)
      const second = await call(put, at, { text: `${NO_DRAFTS}\n// In force from now on.` })
      expect(second).toMatchObject({ version: 2, versions: [{ version: 2 }, { version: 1 }] })
    })
  })

  describe(`${subject.operation.name}: 422`, () => {
    it.each([
      ['text that is no policy', 'permit everything'],
      ['a policy without an id', 'permit (principal, action, resource);'],
      ['an attribute that there is not', NO_DRAFTS.replace('resource.type', 'resource.colour')],
      ['an action that there is not', NO_DRAFTS.replace('admit_document', 'burn_document')],
    ])('refuses %s, and says where', async (_, text) => {
      const reply = await subject.call({ ...(await fresh()), body: { text } })
      subject.expectProblem(reply, 'policy_invalid', { pointers: ['#/text'] })
    })
  })
}

export function describeRemovePolicy(
  subject: Subject,
  { get, put, remove }: PolicyNames,
  { fresh, call }: PolicyPlace,
): void {
  describe(`${subject.operation.name}: 200`, () => {
    it('goes back to what ships, as a version that is empty', async () => {
      const at = await fresh()
      const before = await call(get, at)
      await call(put, at, { text: NO_DRAFTS })
      const removed = await call(remove, at)
      expect(removed).toMatchObject({
        version: 2,
        text: '',
        policy_hash: before.policy_hash,
        versions: [{ empty: true }, { empty: false }],
      })
      expect(await call(get, at)).toEqual(removed)
    })
  })
}

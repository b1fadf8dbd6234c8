/** All that the five moves of a tier have in common. Those of the whole service are in a spec that runs alone. */
import { beforeAll, describe, expect, it } from 'vitest'
import { withoutHeaders } from '../subject.ts'
import type { SubjectCall } from '../subject.ts'
import { bringTo, move, scopeSwitch, tenantSwitch } from '../world/runtime.ts'
import type { Op, SwitchTarget } from '../world/runtime.ts'
import { createScope, createTenant, newScopeId } from '../world/tenants.ts'
import type { Tenant } from '../world/tenants.ts'
import { describeBodies } from './bodies.ts'
import { describeCompleteness, describeEveryOperation } from './every-operation.ts'
import { describeScopePlace } from './places.ts'
import { describePlatformEntrance } from './platform-entrance.ts'
import { describeMoves, describeToldMove } from './runtime-moves.ts'
import type { MoveSubject } from './runtime-moves.ts'
import { describeTenantHeader } from './tenant-header.ts'

/** An administrator's: without any body and tenant key they move everybody, so no call here lacks both. */
export function describeAdminRuntime(subject: MoveSubject, op: Op): void {
  const { owner, good } = useScope('admin')
  describeScopeLevel(subject, op, owner, 'admin')

  describe(`${subject.operation.name}: half of a scope moves nothing`, () => {
    it('asks for the tenant key when only scope_id is sent', async () => {
      const reply = await subject.call(withoutHeaders(good(), 'x-tenant-api-key'))
      subject.expectProblem(reply, 'credential_missing')
    })

    it.each([undefined, {}])('asks for scope_id when only the tenant key is sent (body %j)', async (body) => {
      const { headers = {} } = good()
      const reply = await subject.call({ headers, body })
      const expected = { pointers: ['#/scope_id'], rules: ['required'] }
      subject.expectProblem(reply, 'validation_failed', expected)
    })
  })
  describeShared(subject, good)
}

/** An operator's: always of one tenant. */
export function describeTenantRuntime(subject: MoveSubject, op: Op): void {
  const { owner, good } = useScope('internals')
  describeMoves(subject, op, 'tenant', async () => tenantSwitch(await createTenant()))
  describeScopeLevel(subject, op, owner, 'internals')

  describe(`${subject.operation.name}: one tenant and no other`, () => {
    it('leaves the switches of other tenants, and those of scopes, where they are', async () => {
      const [tenant, other] = [await createTenant(), await createTenant()]
      const { scope_id: scopeId } = await createScope(tenant)
      await bringTo(tenantSwitch(tenant), 'paused')
      subject.expectForm(await subject.call(tenantSwitch(tenant).call), 200)
      const untouched = { state: 'running', changed: false, changed_at: null, changed_by: null }
      expect(await move(tenantSwitch(other), 'start')).toMatchObject(untouched)
      expect(await move(scopeSwitch(tenant, scopeId), 'start')).toMatchObject(untouched)
    })
  })
  describeShared(subject, good)
}

function useScope(tier: SwitchTarget['tier']): {
  readonly owner: () => Tenant
  readonly good: () => SubjectCall
} {
  const scopeId = newScopeId()
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await createTenant()
    await createScope(tenant, scopeId)
  })
  // Each move may be repeated where it leads to.
  return { owner: () => tenant, good: () => scopeSwitch(tenant, scopeId, tier).call }
}

function describeScopeLevel(
  subject: MoveSubject,
  op: Op,
  owner: () => Tenant,
  tier: SwitchTarget['tier'],
): void {
  describeMoves(subject, op, 'scope', async () => {
    const { scope_id: scopeId } = await createScope(owner())
    return scopeSwitch(owner(), scopeId, tier)
  })
  describeToldMove(subject, op, owner, tier)
  describeScopePlace(subject, (scopeId) => scopeSwitch(owner(), scopeId, tier).call)

  describe(`${subject.operation.name}: one scope and no other`, () => {
    it('leaves the scope of the same name of another tenant where it is', async () => {
      const other = await createTenant()
      const { scope_id: scopeId } = await createScope(owner())
      await createScope(other, scopeId)
      await bringTo(scopeSwitch(owner(), scopeId), 'paused')
      subject.expectForm(await subject.call(scopeSwitch(owner(), scopeId, tier).call), 200)
      const untouched = { state: 'running', changed: false, generation: 0, changed_at: null }
      expect(await move(scopeSwitch(other, scopeId), 'start')).toMatchObject(untouched)
    })
  })
}

function describeShared(subject: MoveSubject, good: () => SubjectCall): void {
  describe(`${subject.operation.name}: 422`, () => {
    it.each([1, null, '', 'A', '-a', 'a b', 'a'.repeat(121), ['a'], {}])(
      'refuses %j as scope_id',
      async (scopeId) => {
        const reply = await subject.call({ ...good(), body: { scope_id: scopeId } })
        subject.expectProblem(reply, 'validation_failed', { pointers: ['#/scope_id'] })
      },
    )
  })
  describePlatformEntrance(subject, good)
  describeTenantHeader(subject, good)
  describeBodies(subject, good)
  describeEveryOperation(subject, good)
  describeCompleteness(subject)
}

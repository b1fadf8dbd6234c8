/** stopTenantRuntime: nothing runs any more, of a tenant or of one of its scopes. */
import { describe, expect, it } from 'vitest'
import { expectWaiting } from '../../rules/runtime-moves.ts'
import { describeTenantRuntime } from '../../rules/runtime-operations.ts'
import { createSubject } from '../../subject.ts'
import { untilEnded } from '../../world/documents.ts'
import { move, scopeSwitch, tenantSwitch } from '../../world/runtime.ts'
import { createScope, createTenant } from '../../world/tenants.ts'

const subject = createSubject('stopTenantRuntime')

describe('stopTenantRuntime: work', () => {
  it('waits in every scope of the tenant, whatever the scope says, and goes on for others', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const [{ scope_id: scopeId }, { scope_id: running }] = [
      await createScope(tenant),
      await createScope(other),
    ]
    subject.expectAnswer(await subject.call(tenantSwitch(tenant).call), 200)
    // The strictest switch wins: that of the scope alone lets nothing run.
    expect(await move(scopeSwitch(tenant, scopeId), 'restart')).toMatchObject({
      state: 'running',
      effective_state: 'stopped',
    })
    const documentId = await expectWaiting(tenant, scopeId, { tenant: other, scopeId: running })
    await move(tenantSwitch(tenant), 'start')
    expect((await untilEnded(tenant, scopeId, documentId)).status).toBe('processed')
    expect(await move(scopeSwitch(tenant, scopeId), 'start')).toMatchObject({ effective_state: 'running' })
  })
})

describeTenantRuntime(subject, 'stop')

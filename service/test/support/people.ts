/** Tenants and key holders for tests, made the way the service makes them. */
import { randomBytes } from 'node:crypto'
import { createRootKey } from '../../src/app/identity/root-keys.ts'
import { createScope } from '../../src/app/scopes/scopes.ts'
import { createTenant } from '../../src/app/identity/tenants.ts'
import type { Caller, TenantCaller } from '../../src/domain/caller.ts'
import { createAuditor } from '../../src/platform/audit-key.ts'
import type { Auditor } from '../../src/platform/audit-key.ts'
import { createFingerprints } from '../../src/platform/fingerprint.ts'
import type { Fingerprints } from '../../src/platform/fingerprint.ts'
import type { PolicyEngine } from '../../src/policy/engine.ts'
import type { Pools } from '../../src/store/pools.ts'

export const pepper: Buffer = randomBytes(32)

export const fingerprints: Fingerprints = createFingerprints(pepper)

export const masterKeys = [{ id: 'mk1', bytes: randomBytes(32) }] as const

export const auditor: Auditor = createAuditor(masterKeys)

export const administrator: Caller = { tier: 'admin', actor: 'ck_a_0000000000' }

export const operator: Caller = { tier: 'internals', actor: 'operator:test' }

export interface TestTenant {
  readonly tenantId: string
  readonly key: string
  readonly keyId: string
  readonly prefix: string
  readonly caller: TenantCaller
}

export async function makeTenant(pools: Pools, name = 'Acme'): Promise<TestTenant> {
  const { tenantId, key } = await createTenant({ pools, pepper, auditor }, administrator, { name })
  const caller: TenantCaller = { tier: 'tenant', actor: key.prefix, tenantId }
  return { tenantId, key: key.key, keyId: key.keyId, prefix: key.prefix, caller }
}

export async function makeRootKey(
  pools: Pools,
  tier: 'admin' | 'internals',
): Promise<{ readonly key: string; readonly keyId: string }> {
  const deps = { pools, pepper, auditor, announceKeyChange: () => undefined }
  const { key } = await createRootKey(deps, operator, tier, { name: null, expiresAt: null })
  return { key: key.key, keyId: key.keyId }
}

export async function makeScope(pools: Pools, tenant: TestTenant, scopeId: string): Promise<void> {
  const deps = {
    pools,
    masterKeys,
    auditor,
    // Loading one takes a moment, and a scope made so has no policy.
    get policyEngine(): PolicyEngine {
      throw new Error('Nobody reads a policy here.')
    },
  }
  await createScope(deps, tenant.caller, { scopeId, displayName: null })
}

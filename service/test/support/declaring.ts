/** The dependencies of declaring scopes settled. */
import type { DeclarationDeps } from '../../src/app/certificates/declarations.ts'
import { createScopeSeals } from '../../src/app/scopes/scope-seals.ts'
import { createCertificateKeys } from '../../src/platform/certificate-keys.ts'
import type { Pools } from '../../src/store/pools.ts'
import { auditor, masterKeys } from './people.ts'
import { policyEngine } from './policies.ts'

export const FORBIDDING =
  '@id("never") forbid (principal, action == Concord::Action::"settle_scope", resource);'

/** Permits by name that a scope is certified which only the rule reader has read. */
export const CERTIFY_RULES = `@id("certify-rules") permit (principal, action == Concord::Action::"settle_scope", resource)
  when { context.reader == "rules" && context.state == "settled" && context.coverage == 1000 };`

export function declaringDeps(pools: Pools): DeclarationDeps {
  return {
    pools,
    seals: createScopeSeals({ pool: pools.tenant, masterKeys }),
    announceEvents: () => undefined,
    auditor,
    policyEngine,
    certificateKeys: createCertificateKeys(masterKeys),
  }
}

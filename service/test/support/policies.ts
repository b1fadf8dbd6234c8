/** Policies as a process has them, and texts for tests. */
import { createPolicies } from '../../src/app/access/policies.ts'
import type { Policies } from '../../src/app/access/policies.ts'
import { createPolicyEngine } from '../../src/policy/engine.ts'
import type { Pool } from '../../src/store/pools.ts'

/** Loading takes a moment, so a test file has one. */
export const policyEngine = createPolicyEngine()

/** The policies of a process that remembers nothing yet. */
export const policiesOf = (pool: Pool): Policies => createPolicies({ pool, engine: policyEngine })

/** Holds documents of this type. */
export const noDocuments = (type: string, id = `no-${type}`): string =>
  `@id("${id}")
forbid (principal, action == Concord::Action::"admit_document", resource)
when { resource.type == "${type}" };
`

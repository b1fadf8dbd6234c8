/** Policies as the contract writes them. */
import type { PolicyInForce } from '../app/access/policies.ts'

export function toPolicyRecord(policy: PolicyInForce) {
  return {
    scope_id: policy.scopeId,
    version: policy.version,
    text: policy.text,
    policy_hash: policy.hash,
    created_at: policy.createdAt?.toISOString() ?? null,
    created_by: policy.createdBy,
    default_text: policy.defaultText,
    versions: policy.versions.map(({ version, empty, createdAt, createdBy }) => ({
      version,
      empty,
      created_at: createdAt.toISOString(),
      created_by: createdBy,
    })),
  }
}

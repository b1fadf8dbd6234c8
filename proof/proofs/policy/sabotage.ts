/** What --sabotage breaks, each for another part of the proof to notice. */
import type { Mutation } from '../../harness/mutation.ts'

export const POLICY_SABOTAGES: readonly Mutation[] = [
  {
    name: 'of what ships only that which permits is asked',
    files: 'service/src/policy/engine.ts',
    find: 'for (const policy of policies) parts.set(',
    replace:
      "for (const policy of policies) if (origin !== 'default' || policy.json.effect === 'permit') parts.set(",
  },
  {
    name: 'a worker goes on with the policies that it remembers',
    files: 'service/src/app/policies.ts',
    find: 'if (known && known.changes >= changes) return known.set',
    replace: 'if (known) return known.set',
  },
]

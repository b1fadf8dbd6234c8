/** What makes the outcome depend on the order in which documents arrive. */
import type { Mutation } from '../../harness/mutation.ts'

export const BY_ARRIVAL: Mutation = {
  name: 'those who came first represent a group for good',
  files: 'service/src/app/comparing/plan.ts',
  find: 'const after = representativesOf([...others,',
  replace: 'const after = others.length > 1 ? others : representativesOf([...others,',
}

/** What makes convergence depend on how a scope came to be what it is. */
import type { Mutation } from '../../harness/mutation.ts'

export const COUNTED_FOR_GOOD: Mutation = {
  name: 'a document is counted where it was as well as where it is',
  files: 'service/migrations/*.sql',
  find: '(from_status, -documents)',
  replace: '(from_status, 0)',
}

/** What makes convergence depend on how a scope came to be what it is. */
import type { Mutation } from '../mutation.ts'

export const COUNTED_FOR_GOOD: Mutation = {
  name: 'a document is counted where it was as well as where it is',
  files: 'service/migrations/*_convergence.sql',
  find: 'union all select tenant_id, scope_id, status, -1 from old_rows',
  replace: 'union all select tenant_id, scope_id, status, 0 from old_rows',
}

/** What --sabotage breaks: the reset leaves the texts, and the key that opens them and every copy of them. */
import type { Mutation } from '../../harness/mutation.ts'

export const HALF_A_RESET: readonly Mutation[] = [
  {
    name: 'a reset keeps the keys of older generations',
    files: 'service/src/store/erasing.ts',
    find: 'delete from scope_keys where tenant_id = $1 and scope_id = $2 and epoch < $3',
    replace: 'delete from scope_keys where tenant_id = $1 and scope_id = $2 and epoch < $3 and false',
  },
  {
    name: 'a reset leaves the texts where they are',
    files: 'service/src/store/erasing.ts',
    find: "'readings', 'document_versions', ",
    replace: "'readings', ",
  },
]

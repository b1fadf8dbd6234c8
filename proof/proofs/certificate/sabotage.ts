/** What would let something false pass for certified, or something certified pass for current. */
import type { Mutation } from '../../harness/mutation.ts'

/** In the command that checks: the same files are handed to a copy that looks away. */
export const BLIND: readonly Mutation[] = [
  {
    name: 'any signature will do',
    files: 'service/src/domain/certificate/verifying.ts',
    find: 'if (signed &&',
    replace: 'if (true ||',
  },
  {
    name: 'nobody looks at the root of the evidence',
    files: 'service/src/domain/certificate/verifying.ts',
    find: 'toHex(tree.root()) === evidence.root ||',
    replace: 'true ||',
  },
  {
    name: 'scores have the same digest whatever they are',
    files: 'service/src/domain/certificate.ts',
    find: 'scores: digestOf(hash, statement.scores)',
    replace: 'scores: statement.digests?.scores',
  },
  {
    name: 'any certificate may come before',
    files: 'service/src/domain/certificate/verifying.ts',
    find: 'previous.hash !== certificateHashOf(hash, before)',
    replace: 'false',
  },
  {
    name: 'policies are not compared',
    files: 'service/src/domain/certificate/verifying.ts',
    find: 'policyHashOf(hash, texts) === policy.hash',
    replace: 'true',
  },
]

/** In the service. */
export const UNNOTICED: Mutation = {
  name: 'new evidence does not reopen a scope',
  files: 'service/migrations/*_certificates.sql',
  find: 'l.seq > certified',
  replace: 'l.seq > certified and false',
}

/** The mutations that would let something false pass for certified, or something certified pass for current. */
import { always, drop, insertAfter, never, rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'

/** In the command that checks: the same files are handed to a copy that looks away. */
export const BLIND: readonly Mutation[] = [
  {
    name: 'any signature will do',
    at: 'certificate.verify.signature',
    change: always,
  },
  {
    name: 'nobody looks at the root of the evidence',
    at: 'certificate.verify.evidence-root',
    change: always,
  },
  {
    name: 'scores have the same digest whatever they are',
    at: 'certificate.digest.scores',
    // A certificate says its own digests.
    change: rewriteValue((digest) => digest.replace(/^.*?(\w+)\.(\w+)\)$/, '$1.digests?.$2')),
  },
  {
    name: 'nobody looks at what is said to be read',
    at: 'certificate.digest.reading',
    change: rewriteValue(() => 'true'),
  },
  {
    name: 'any certificate may come before',
    at: 'certificate.verify.previous',
    change: never,
  },
  {
    name: 'policies are not compared',
    at: 'certificate.verify.policy',
    change: always,
  },
]

/** In the service. */
export const UNNOTICED: readonly Mutation[] = [
  {
    name: 'new evidence does not reopen a scope',
    at: 'certificate.new-evidence',
    change: insertAfter('and false'),
  },
  {
    name: 'policies are told that everything was read',
    at: 'certificate.coverage',
    change: rewriteValue(() => '() => 1000'),
  },
]

export const SILENT_CHANGE: Mutation = {
  name: 'a finding that changes in place is not told',
  at: 'certificate.changed-finding',
  change: drop,
}

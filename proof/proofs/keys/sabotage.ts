/** The mutations of --sabotage, each for another part of the proof to notice. */
import { always, drop, rewrite, rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'

export const sabotages: readonly Mutation[] = [
  {
    name: 'what is known of a key is remembered for a minute',
    at: 'auth.cache-time',
    change: rewriteValue(() => '60_000'),
  },
  {
    name: 'announcements of revocations are not heard',
    at: 'auth.listen-for-revocations',
    change: drop,
  },
  {
    name: 'checksums are not checked',
    at: 'auth.checksum',
    change: always,
  },
  {
    name: 'open streams are not asked for their key again',
    at: 'events.stream.recheck-keys',
    change: drop,
  },
  {
    name: 'texts are stored as they came',
    at: 'ingest.seal.text',
    change: rewriteValue((sealed) => sealed.replace(/^.*(Buffer\.from\(.*\))\)$/, '$1')),
  },
  {
    name: 'the log tells which headers came',
    at: 'http.log-request',
    change: rewrite((method) => method.replace(/(\w+)\.method$/, '$&, came: $1.raw.rawHeaders')),
  },
]

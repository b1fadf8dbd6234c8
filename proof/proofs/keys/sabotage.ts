/** What --sabotage breaks, each for another part of the proof to notice. */
import type { Mutation } from '../../harness/mutation.ts'

export const sabotages: readonly Mutation[] = [
  {
    name: 'what is known of a key is remembered for a minute',
    files: 'service/src/app/credentials.ts',
    find: /const MEMORY_MS = \d+/,
    replace: 'const MEMORY_MS = 60_000',
  },
  {
    name: 'announcements of revocations are not heard',
    files: 'service/src/main/api.ts',
    find: /^.*broker\.listen\(subjects\.keyChanged.*$/m,
    replace: '',
  },
  {
    name: 'checksums are not checked',
    files: 'service/src/platform/api-key.ts',
    find: 'value.endsWith(checksum(unchecked))',
    replace: 'value.startsWith(unchecked)',
  },
  {
    name: 'open streams are not asked for their key again',
    files: 'service/src/http/event-streams.ts',
    find: 'void recheck(streams)',
    replace: 'void streams',
  },
  {
    name: 'texts are stored as they came',
    files: 'service/src/app/ingest.ts',
    find: "sealedText: seal.seal('text', documentId, Buffer.from(what.text))",
    replace: 'sealedText: Buffer.from(what.text)',
  },
  {
    name: 'the log tells which headers came',
    files: 'service/src/http/server.ts',
    find: 'operation: request.operationName ?? null,',
    replace: 'operation: request.operationName ?? null, came: request.raw.rawHeaders,',
  },
]

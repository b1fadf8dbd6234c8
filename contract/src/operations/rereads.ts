/** Reading documents again by the reader of today. */
import { operation } from '../operation.ts'
import { replayable, replayedHeader } from './replaying.ts'
import { scopeParams } from '../schemas/identity.ts'
import { documentBodyLimit } from '../schemas/ingest.ts'
import { Reread, RereadBody } from '../schemas/rereads.ts'

export const rereadScope = operation({
  name: 'rereadScope',
  method: 'POST',
  path: '/api/scopes/{scopeId}/reread',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Read documents of a scope again',
  description:
    'Queues processed documents, a hundred at a time, to be read by the reader that workers have now. Without a ' +
    'body, these are the documents that another kind of reader read, or the same kind with another version of its ' +
    'prompt. A document keeps its claims until it is read again. Contradictions between facts that are still ' +
    'stated stay, with their decisions. While a reread runs, the same request changes nothing, and a different ' +
    'one is refused.',
  params: scopeParams,
  ...replayable,
  body: RereadBody,
  bodyOptional: true,
  bodyLimit: documentBodyLimit,
  answers: { 202: Reread },
  answerHeaders: { Location: 'Address of its progress.', ...replayedHeader },
  problems: ['scope_not_found', 'document_not_found', 'illegal_transition', 'idempotency_key_reused'],
})

export const getReread = operation({
  name: 'getReread',
  method: 'GET',
  path: '/api/scopes/{scopeId}/reread',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Read the progress of a reread',
  description: 'The last reread that was requested.',
  params: scopeParams,
  answers: { 200: Reread },
  problems: ['scope_not_found'],
})

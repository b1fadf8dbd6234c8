/** Reading documents again: which of a scope, and how far it has come. */
import { z } from 'zod'
import { text } from '../text.ts'
import { Count, DocumentId, ScopeId, Timestamp } from './identity.ts'

const ReadBy = text({
  min: 1,
  max: 200,
  description:
    'A reader as named in reading reports: `reader`, or `reader` and `reader_version` separated by a slash, or a ' +
    'prefix of that.',
  example: 'rules',
})

export const RereadBody = z
  .strictObject({
    document_ids: z.array(DocumentId).min(1).max(500).optional().meta({
      description: 'Only these documents, whichever reader read them.',
    }),
    read_by: ReadBy.optional().meta({ description: 'Only documents that this reader read.' }),
  })
  .meta({ id: 'RereadBody' })

export const Reread = z
  .strictObject({
    scope_id: ScopeId,
    state: z.enum(['none', 'running', 'ended']).meta({
      description:
        '`running`: documents are being queued and read. `ended`: all were read, or reached another terminal ' +
        'status. `none`: none was requested yet.',
    }),
    read_by: z
      .string()
      .nullable()
      .meta({ description: 'The reader named in the request; null if none was named.' }),
    documents_named: Count.nullable().meta({
      description: 'Number of documents named in the request; null if none were named.',
    }),
    documents_queued: Count.meta({ description: 'Documents that were queued so far.' }),
    documents_read: Count.meta({
      description: 'The number of them that are completed, as of a moment ago.',
    }),
    requested_at: Timestamp.nullable().meta({
      description: 'When it was last requested; null if it never was.',
    }),
    ended_at: Timestamp.nullable().meta({
      description: 'When the last document was read; null while it runs, or if it was never requested.',
    }),
  })
  .meta({ id: 'Reread' })

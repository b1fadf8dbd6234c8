/** Reading documents again: which of a scope, and how far it has come. */
import { z } from 'zod'
import { text } from '../text.ts'
import { Count, DocumentId, ScopeId, Timestamp } from './identity.ts'

const ReadBy = text({
  min: 1,
  max: 200,
  description:
    'A reader as reading reports name it: `reader`, or `reader` and `reader_version` with a slash between them; also the first parts of that.',
  example: 'rules',
})

export const RereadBody = z
  .strictObject({
    document_ids: z.array(DocumentId).min(1).max(500).optional().meta({
      description: 'Only these, whichever reader read them.',
    }),
    read_by: ReadBy.optional().meta({ description: 'Only those that this reader read.' }),
  })
  .meta({ id: 'RereadBody' })

export const Reread = z
  .strictObject({
    scope_id: ScopeId,
    state: z.enum(['none', 'running', 'ended']).meta({
      description:
        '`running`: documents are being queued and read. `ended`: all were read, or are at another end. `none`: nobody asked for one yet.',
    }),
    read_by: z
      .string()
      .nullable()
      .meta({ description: 'As it was asked for; null where no reader was named.' }),
    documents_named: Count.nullable().meta({
      description: 'How many documents were named; null where none were.',
    }),
    documents_queued: Count.meta({ description: 'Documents that were queued so far.' }),
    documents_read: Count.meta({
      description: 'Those of them that are no longer on their way, as of a moment ago.',
    }),
    requested_at: Timestamp.nullable().meta({
      description: 'When it was asked for last; null where nobody asked for it yet.',
    }),
    ended_at: Timestamp.nullable().meta({
      description: 'When the last document was read; null while it runs or nobody asked for it.',
    }),
  })
  .meta({ id: 'Reread' })

/** Files as they are sent: their types, what is said about them in the query, and the answer. */
import { z } from 'zod'
import { DocumentName, DocumentSource } from './documents.ts'
import { Count, DocumentId } from './identity.ts'
import { IngestDocumentResponse } from './ingest.ts'
import { LabelQuery } from './labels.ts'
import { UnreadFilePart } from './reading.ts'

/** 25 MiB. */
export const fileBodyLimit = 26_214_400

const office = 'application/vnd.openxmlformats-officedocument'

/** The media types of files, each with the type that it stands for; `application/octet-stream` stands for any of them. */
export const fileTypeByMedia = {
  'application/pdf': 'pdf',
  [`${office}.wordprocessingml.document`]: 'docx',
  [`${office}.spreadsheetml.sheet`]: 'xlsx',
  [`${office}.presentationml.presentation`]: 'pptx',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'message/rfc822': 'eml',
  'text/plain': 'txt',
} as const

export const fileMediaTypes: readonly string[] = [...Object.keys(fileTypeByMedia), 'application/octet-stream']

export const FileType = z.enum(['pdf', 'docx', 'xlsx', 'pptx', 'html', 'md', 'csv', 'eml', 'txt']).meta({
  id: 'FileType',
  description:
    'The type of the file. If omitted, Content-Type decides, and for `application/octet-stream` the extension of ' +
    '`name`.',
})

/** The body as it came. */
export const FileBytes = z.custom<Uint8Array>(
  (value) => value instanceof Uint8Array && value.length > 0,
  'Send the file as the body.',
)

export const IngestFileQuery = z.strictObject({
  name: DocumentName,
  type: FileType.optional(),
  document_id: DocumentId.optional().meta({ description: 'Generated if omitted.' }),
  source: DocumentSource.optional(),
  ...LabelQuery,
})

export const IngestFileResponse = IngestDocumentResponse.extend({
  characters: Count.meta({ description: 'Length of the text that was extracted from the file.' }),
  unread: z.array(UnreadFilePart).meta({ description: 'The parts of the file that have no readable text.' }),
}).meta({ id: 'IngestFileResponse' })

/** Files in: PDF, office documents, mail and pages, sent as they are. */
import { operation } from '../operation.ts'
import { replayable, replayedHeader } from './replaying.ts'
import {
  FileBytes,
  fileBodyLimit,
  fileMediaTypes,
  IngestFileQuery,
  IngestFileResponse,
} from '../schemas/files.ts'
import { scopeParams } from '../schemas/identity.ts'

export const ingestFile = operation({
  name: 'ingestFile',
  method: 'POST',
  path: '/api/scopes/{scopeId}/files',
  tier: 'public',
  served: true,
  extension: true,
  queues: true,
  summary: 'Queue a file for processing',
  description:
    'The body is the file: PDF, DOCX, XLSX, PPTX, HTML, Markdown, CSV, EML or plain text, up to 25 MiB and ' +
    '2,000,000 characters of text. The service extracts the text in a separate process before it responds, so a ' +
    'file that cannot be read is refused at once with the reason in `errors`. A 202 means the same as for POST ' +
    '/api/ingest: the text is on disk. Claims have the page, slide, cell or heading. Pages and slides without ' +
    'text, and attachments, are listed in `unread`. The same text under the same document_id is not queued twice; ' +
    'other text creates a new version. Tags and metadata in the query are set with the document, also if its text ' +
    'was sent before.',
  params: scopeParams,
  query: IngestFileQuery,
  ...replayable,
  body: FileBytes,
  bodyMediaTypes: fileMediaTypes,
  bodyLimit: fileBodyLimit,
  answers: { 202: IngestFileResponse },
  answerHeaders: {
    Location: 'Address of the document.',
    ...replayedHeader,
  },
  problems: ['scope_not_found', 'idempotency_key_reused', 'file_unreadable'],
})

/** Requests that bring a file, between the wire and the service. */
import { FileType, fileTypeByMedia } from '@concord/contract'
import type { operations, QueryOf } from '@concord/contract'
import type { FileRequest } from '../app/documents/files.ts'
import { labelsOf } from '../app/documents/labels.ts'
import { Fault } from '../domain/fault.ts'
import { mediaTypeOf } from './file-body.ts'

export interface SentFile {
  readonly scopeId: string
  readonly query: QueryOf<typeof operations.ingestFile>
  readonly body: Uint8Array
  readonly contentType: string | undefined
  readonly idempotencyKey: string | undefined
}

export function toFileRequest({ scopeId, query, body, contentType, idempotencyKey }: SentFile): FileRequest {
  const { name, type, document_id: documentId, source } = query
  return {
    scopeId,
    name,
    type: type ?? fileTypeOf(contentType, name),
    documentId: documentId ?? null,
    source: source ?? null,
    labels: labelsOf(query),
    idempotencyKey: idempotencyKey ?? null,
    bytes: body,
  }
}

/** Plain text says little: many send everything as that, so the extension counts then as well. */
function fileTypeOf(contentType: string | undefined, name: string): FileRequest['type'] {
  const media = mediaTypeOf(contentType)
  const said = new Map<string, FileRequest['type']>(Object.entries(fileTypeByMedia)).get(media ?? '')
  const byName = EXTENSIONS.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
  const type = said === undefined || said === 'txt' ? (byName ?? said) : said
  if (type === undefined) throw new Fault('unsupported_media_type', { internal: 'nothing says the type' })
  return type
}

const EXTENSIONS: ReadonlyMap<string, FileRequest['type']> = new Map([
  ...FileType.options.map((type) => [type, type] as const),
  ['htm', 'html'],
  ['markdown', 'md'],
  ['text', 'txt'],
])

/**
 * Accepts files. A separate process extracts the text, which is then accepted like a text that was sent. If a file cannot be read,
 * nothing is stored and the error says why.
 */
import type { TenantCaller } from '../../domain/caller.ts'
import { countCharacters } from '../../domain/code-points.ts'
import { Fault } from '../../domain/fault.ts'
import type { Extraction, FileFault, FileType, UnreadFilePart } from '../../domain/file-layout.ts'
import type { AcceptedDocument, Ingest, IngestRequest } from './ingest.ts'
import type { ScopeSeals } from '../scopes/scope-seals.ts'

export interface FilesDeps {
  readonly ingest: Ingest
  readonly seals: ScopeSeals
  readonly extract: (tenantId: string, type: FileType, bytes: Uint8Array) => Promise<Extraction>
}

export interface FileRequest extends Omit<
  IngestRequest,
  'text' | 'type' | 'characters' | 'layout' | 'answerBy'
> {
  readonly type: FileType
  readonly bytes: Uint8Array
}

export interface AcceptedFile extends AcceptedDocument {
  readonly characters: number
  readonly unread: readonly UnreadFilePart[]
}

/** The deadline for writing the extracted text: the same as for a request that sends text. */
const WRITE_MS = 5_000

export async function ingestFile(
  { ingest, seals, extract }: FilesDeps,
  who: TenantCaller,
  { bytes, ...what }: FileRequest,
): Promise<AcceptedFile> {
  // Checks that the scope exists before the file is read.
  await seals.get(who.tenantId, what.scopeId)
  const extraction = await extract(who.tenantId, what.type, bytes)
  if ('fault' in extraction) throw unreadable(extraction.fault)
  const { text, layout } = extraction
  const characters = countCharacters(text, [0, text.length])
  const answerBy = performance.now() + WRITE_MS
  const accepted = await ingest.ingestDocument(who, { ...what, text, characters, layout, answerBy })
  return { ...accepted, characters, unread: layout.unread }
}

function unreadable(fault: FileFault): Fault {
  return new Fault('file_unreadable', {
    fields: [{ pointer: '#', code: fault, message: EXPLANATIONS[fault] }],
  })
}

const EXPLANATIONS: Readonly<Record<FileFault, string>> = {
  wrong_type:
    'The file is not of the type that it is sent as. Send it with the right `type` or Content-Type.',
  damaged:
    'The file is damaged or cut short. Open it in the program that made it, save it again and send that.',
  encrypted: 'The file is protected by a password. Remove the protection and send it again.',
  legacy_format:
    'The file is in a format of Office before 2007. Save it as DOCX, XLSX or PPTX and send that.',
  not_utf8: 'The text is not UTF-8. Save it as UTF-8 and send that.',
  no_text: 'There is no text in the file; it may be a scan. Send it through OCR first.',
  too_many_parts: 'The file has too many pages, slides, sheets, cells or parts. Split it.',
  expands_too_much: 'The file unpacks to more than 64 MiB of content. Split it.',
  forbidden_markup:
    'The file declares XML entities, which no office document needs. Save it again and send that.',
  text_too_long: 'The text of the file has more than 2,000,000 characters. Split it.',
  time_exceeded: 'Reading the file took too long. Split it, or send its text.',
  memory_exceeded: 'Reading the file took too much memory. Split it, or send its text.',
  crashed: 'The process that read the file ended. Send the file again once; then send its text.',
}

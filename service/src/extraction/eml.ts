/**
 * Converts e-mails (EML) to text: sender, receivers, date and subject, and then the body, as plain text if there is
 * such a part. Attachments are counted and not read.
 */
import type { FileLayout, UnreadFilePart } from '../domain/file-layout.ts'
import { PLAIN_LAYOUT } from '../domain/file-layout.ts'
import { MAX_MAIL_DEPTH, MAX_MAIL_PARTS, MAX_UNREAD } from './bounds.ts'
import { decodeCharset, decodeTransfer, decodeWords } from './mail-encodings.ts'
import { ExtractionFailure } from './failure.ts'
import { htmlToText } from './html.ts'
import type { TextBuilder } from './text-builder.ts'

const SHOWN = ['From', 'To', 'Cc', 'Date', 'Subject'] as const

export function extractEml(bytes: Uint8Array, builder: TextBuilder): FileLayout {
  // Bytes are kept as characters: headers are ASCII, and bodies are decoded by their charset.
  const raw = Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n')
  const mail = splitPart(raw)
  if (!mail.headers.has('from') && !mail.headers.has('subject') && !mail.headers.has('date'))
    throw new ExtractionFailure('wrong_type')
  const found: Found = { texts: [], attachments: 0, parts: 0 }
  collect(mail, found, 0)
  const head = SHOWN.flatMap((name) => {
    const value = mail.headers.get(name.toLowerCase())
    return value === undefined ? [] : [`${name}: ${decodeWords(value)}`]
  })
  builder.add(head.join('\n'))
  for (const text of found.texts) if (text !== '') builder.addApart(text, '\n\n')
  return { ...PLAIN_LAYOUT, unread: attachmentsOf(found.attachments) }
}

function attachmentsOf(count: number): UnreadFilePart[] {
  return Array.from({ length: Math.min(count, MAX_UNREAD) }, (_, at) => ({
    part: 'attachment',
    number: at + 1,
  }))
}

interface MailPart {
  /** By name in lower case; of several headers with one name the first. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

interface Found {
  readonly texts: string[]
  attachments: number
  parts: number
}

function splitPart(raw: string): MailPart {
  const start = raw.startsWith('\n') ? 0 : raw.indexOf('\n\n') + 1
  const head = start === 0 && !raw.startsWith('\n') ? raw : raw.slice(0, start)
  const headers = new Map<string, string>()
  for (const line of head.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).toLowerCase()
    if (/^[\w-]+$/.test(name) && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim())
  }
  return { headers, body: head === raw ? '' : raw.slice(start + 1) }
}

function collect(part: MailPart, found: Found, depth: number): void {
  found.parts += 1
  if (depth > MAX_MAIL_DEPTH || found.parts > MAX_MAIL_PARTS) throw new ExtractionFailure('too_many_parts')
  const { type, parameters } = parseType(part.headers.get('content-type') ?? 'text/plain')
  const boundary = parameters.get('boundary')
  if (type.startsWith('multipart/') && boundary !== undefined) {
    const parts = splitBody(part.body, boundary).map(splitPart)
    if (type !== 'multipart/alternative') for (const each of parts) collect(each, found, depth + 1)
    else collectAlternative(parts, found, depth)
    return
  }
  const isAttached = /^attachment/i.test(part.headers.get('content-disposition') ?? '')
  if (isAttached || !/^text\/(?:plain|html)$/.test(type)) found.attachments += 1
  else found.texts.push(readBody(part, type, parameters.get('charset')))
}

/** Chooses one version of a text: plain text, or else the last version. */
function collectAlternative(parts: readonly MailPart[], found: Found, depth: number): void {
  const isPlain = ({ headers }: MailPart) => /^text\/plain/i.test(headers.get('content-type') ?? 'text/plain')
  const chosen = parts.find((part) => isPlain(part) && part.body.trim() !== '') ?? parts.at(-1)
  if (chosen) collect(chosen, found, depth + 1)
}

function readBody({ headers, body }: MailPart, type: string, charset: string | undefined): string {
  const bytes = decodeTransfer(body, headers.get('content-transfer-encoding') ?? '7bit')
  const text = decodeCharset(bytes, charset)
  return (type === 'text/html' ? htmlToText(text) : text.replaceAll('\r\n', '\n')).trim()
}

function parseType(header: string) {
  const [type = '', ...rest] = header.split(';')
  const parameters = new Map<string, string>()
  for (const each of rest) {
    const [, name, value] = /^\s*([\w-]+)\s*=\s*"?([^"]*)"?\s*$/.exec(each) ?? []
    if (name !== undefined && value !== undefined) parameters.set(name.toLowerCase(), value)
  }
  return { type: type.trim().toLowerCase(), parameters }
}

/** Text before the first and after the last boundary is for old clients, and is dropped. */
function splitBody(body: string, boundary: string): string[] {
  const mark = `\n--${boundary}`
  const pieces = `\n${body}`.split(mark)
  if (pieces.length > MAX_MAIL_PARTS) throw new ExtractionFailure('too_many_parts')
  return pieces
    .slice(1)
    .filter((piece) => !piece.startsWith('--'))
    .map((piece) => piece.slice(piece.indexOf('\n') + 1))
}

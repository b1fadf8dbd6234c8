/** Reads one HTTP/1.1 answer from the bytes that have arrived so far, or says that it is not whole yet. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export interface Answer {
  readonly status: number
  /** Names in lower case; a repeated header is joined by commas. */
  readonly headers: ReadonlyMap<string, string>
  /** Without its Content-Encoding. */
  readonly body: Buffer
  /** Whether the connection may carry another request: kept open, and nothing came behind the answer. */
  readonly reusable: boolean
  /** It never ends by itself: the body is what came of it so far. */
  readonly stream: boolean
}

interface Reading {
  readonly head: boolean
  /** The other side has closed: a body without a length is whole now. */
  readonly ended: boolean
}

interface Head {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly end: number
}

interface Body {
  readonly bytes: Buffer
  readonly end: number
}

/** Undefined while bytes are missing; throws when what came is not an answer. */
export function readAnswer(bytes: Buffer, reading: Reading): Answer | undefined {
  const head = readHead(bytes, 0)
  if (!head) return undefined
  const { status, headers } = head
  const body = readBody(bytes, head, reading)
  if (!body) return undefined
  const keptOpen = !reading.ended && headers.get('connection')?.toLowerCase() !== 'close'
  return {
    status,
    headers,
    body: decompress(body.bytes, headers.get('content-encoding')),
    reusable: keptOpen && body.end === bytes.length,
    stream: isStream(headers),
  }
}

const decompressors: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
])

/** Throws when the bytes are not what the header says. The answer to HEAD has the header and no bytes. */
function decompress(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === undefined || bytes.length === 0) return bytes
  const decompressor = decompressors.get(encoding)
  if (!decompressor) throw new Error(`not an encoding that was asked for: ${encoding}`)
  return decompressor(bytes)
}

/** Whether the head of an answer is there, or bytes that are none. An interim answer (100 Continue) asks for the rest of the request. */
export function hasAnswerHead(bytes: Buffer): boolean {
  try {
    return readHead(bytes, 0) !== undefined
  } catch {
    return true
  }
}

/** Passes over interim answers. */
function readHead(bytes: Buffer, start: number): Head | undefined {
  const end = bytes.indexOf('\r\n\r\n', start)
  if (end === -1) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', start, end).split('\r\n')
  const [, digits] = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine) ?? []
  if (digits === undefined) throw new Error(`not a status line: ${statusLine.slice(0, 80)}`)
  const status = Number(digits)
  return status < 200 ? readHead(bytes, end + 4) : { status, headers: toHeaders(lines), end: end + 4 }
}

function toHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) throw new Error(`not a header: ${line.slice(0, 80)}`)
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return headers
}

function readBody(
  bytes: Buffer,
  { status, headers, end: start }: Head,
  { head, ended }: Reading,
): Body | undefined {
  if (head || status === 204 || status === 304) return { bytes: Buffer.alloc(0), end: start }
  if (isStream(headers)) return readStream(bytes, headers, start, ended)
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(bytes, start)
  const length = headers.get('content-length')
  if (length === undefined) return ended ? { bytes: bytes.subarray(start), end: bytes.length } : undefined
  const end = start + Number(length)
  return bytes.length < end ? undefined : { bytes: bytes.subarray(start, end), end }
}

function isStream(headers: ReadonlyMap<string, string>): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false
}

/** A stream of events never ends by itself: that its first bytes have come is the answer. */
function readStream(
  bytes: Buffer,
  headers: ReadonlyMap<string, string>,
  start: number,
  ended: boolean,
): Body | undefined {
  const chunked = headers.get('transfer-encoding') === 'chunked'
  const came = chunked ? Buffer.concat(readParts(bytes, start).parts) : bytes.subarray(start)
  return came.length > 0 || ended ? { bytes: came, end: -1 } : undefined
}

function readChunks(bytes: Buffer, start: number): Body | undefined {
  const { parts, end } = readParts(bytes, start)
  return end === undefined ? undefined : { bytes: Buffer.concat(parts), end }
}

/** The chunks that have come whole, and where the last one ends if it is among them. */
function readParts(
  bytes: Buffer,
  start: number,
): { readonly parts: readonly Buffer[]; readonly end?: number } {
  const parts: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return { parts }
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (!Number.isInteger(size)) throw new Error('not the size of a chunk')
    const end = lineEnd + 2 + size + 2
    if (bytes.length < end) return { parts }
    if (size === 0) return { parts, end }
    parts.push(bytes.subarray(lineEnd + 2, end - 2))
    at = end
  }
}

/**
 * Reads ZIP files, the container of office documents. The sizes in the file are not trusted: each part is unpacked up
 * to the rest of a limit that all parts share. Names are used to look up parts and never as paths.
 */
import { inflateRawSync } from 'node:zlib'
import { MAX_XML_BYTES, MAX_ZIP_ENTRIES } from './bounds.ts'
import { ExtractionFailure } from './failure.ts'

const END_OF_DIRECTORY = 0x06054b50
const END_LENGTH = 22
const MAX_COMMENT = 65_535
const DIRECTORY_ENTRY = 0x02014b50
const DIRECTORY_LENGTH = 46
const LOCAL_LENGTH = 30
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 1

interface Entry {
  readonly start: number
  readonly packedLength: number
  readonly method: number
}

export interface Zip {
  has(name: string): boolean
  names(): readonly string[]
  /** Returns the XML of a part; undefined if there is none. */
  readXml(name: string): string | undefined
  /** Unpacks every XML part once, so that a reader without limits can safely read the file. */
  requireBoundedXml(): void
}

export function openZip(bytes: Uint8Array): Zip {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = readDirectory(file)
  let left = MAX_XML_BYTES
  const readXml = (name: string): string | undefined => {
    const entry = entries.get(name)
    if (!entry) return undefined
    const unpacked = unpack(file, entry, left)
    left -= unpacked.length
    const xml = decodeXml(unpacked)
    // Office writes no entity declarations, and such entities can make a small file large.
    if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new ExtractionFailure('forbidden_markup')
    return xml
  }
  return {
    has: (name) => entries.has(name),
    names: () => [...entries.keys()],
    readXml,
    requireBoundedXml() {
      for (const name of entries.keys()) if (/\.(?:xml|rels)$/i.test(name)) readXml(name)
      left = MAX_XML_BYTES
    },
  }
}

function unpack(file: Buffer, { start, packedLength, method }: Entry, left: number): Buffer {
  if (left <= 0) throw new ExtractionFailure('expands_too_much')
  const content = start + LOCAL_LENGTH + readWord(file, start + 26) + readWord(file, start + 28)
  const packed = file.subarray(content, content + packedLength)
  if (packed.length < packedLength) throw new ExtractionFailure('damaged')
  if (method === STORED) {
    if (packed.length > left) throw new ExtractionFailure('expands_too_much')
    return packed
  }
  try {
    return inflateRawSync(packed, { maxOutputLength: left })
  } catch (error) {
    throw new ExtractionFailure(error instanceof RangeError ? 'expands_too_much' : 'damaged', error)
  }
}

function decodeXml(bytes: Buffer): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

function readDirectory(file: Buffer): ReadonlyMap<string, Entry> {
  const end = findEnd(file)
  if (end === -1) throw new ExtractionFailure('damaged')
  const count = readWord(file, end + 10)
  if (count > MAX_ZIP_ENTRIES) throw new ExtractionFailure('too_many_parts')
  const entries = new Map<string, Entry>()
  let at = readLong(file, end + 16)
  for (let nth = 0; nth < count; nth += 1) {
    if (readLong(file, at) !== DIRECTORY_ENTRY) throw new ExtractionFailure('damaged')
    if ((readWord(file, at + 8) & ENCRYPTED) !== 0) throw new ExtractionFailure('encrypted')
    const [name, extra, comment] = [28, 30, 32].map((offset) => readWord(file, at + offset))
    const path = file.toString('utf8', at + DIRECTORY_LENGTH, at + DIRECTORY_LENGTH + (name ?? 0))
    const method = readWord(file, at + 10)
    if (method !== STORED && method !== DEFLATED) throw new ExtractionFailure('damaged')
    const entry = { start: readLong(file, at + 42), packedLength: readLong(file, at + 20), method }
    // If two parts have one name, the first is used, as in office programs.
    if (!entries.has(path)) entries.set(path, entry)
    at += DIRECTORY_LENGTH + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return entries
}

function findEnd(file: Buffer): number {
  const earliest = Math.max(0, file.length - END_LENGTH - MAX_COMMENT)
  for (let at = file.length - END_LENGTH; at >= earliest; at -= 1)
    if (file.readUInt32LE(at) === END_OF_DIRECTORY) return at
  return -1
}

function readWord(file: Buffer, at: number): number {
  if (at + 2 > file.length) throw new ExtractionFailure('damaged')
  return file.readUInt16LE(at)
}

function readLong(file: Buffer, at: number): number {
  if (at + 4 > file.length) throw new ExtractionFailure('damaged')
  return file.readUInt32LE(at)
}

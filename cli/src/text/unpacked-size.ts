/** Refuses a packed file whose XML is far larger than any document: a few hundred kilobytes can unpack to gigabytes. */
import { inflateRawSync } from 'node:zlib'

/** A document of 100,000 characters has a few megabytes of XML, however much it is formatted. */
const MAX_XML_BYTES = 64 * 1_048_576

const END_OF_DIRECTORY = 0x06054b50
const END_LENGTH = 22
const MAX_COMMENT = 65_535
const DIRECTORY_ENTRY = 0x02014b50
const DEFLATED = 8

/** Unpacks each XML part up to the bound; what the file says of its own sizes proves nothing. Other faults are left to the reader of the format. */
export function requireBoundedXml(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let left = MAX_XML_BYTES
  for (const { packed, isDeflated } of xmlPartsOf(file)) {
    left -= isDeflated ? unpackedSize(packed, left) : packed.length
    if (left < 0) throw tooLarge()
  }
}

function tooLarge(): Error {
  return new Error(`It unpacks to more than ${MAX_XML_BYTES / 1_048_576} MiB; split it.`)
}

function unpackedSize(packed: Buffer, left: number): number {
  try {
    return inflateRawSync(packed, { maxOutputLength: left + 1 }).length
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge()
    return 0
  }
}

interface PackedPart {
  readonly packed: Buffer
  readonly isDeflated: boolean
}

function* xmlPartsOf(file: Buffer): Generator<PackedPart> {
  const end = findEnd(file)
  if (end === -1) return
  let at = file.readUInt32LE(end + 16)
  while (at + 46 <= end && file.readUInt32LE(at) === DIRECTORY_ENTRY) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => file.readUInt16LE(at + offset))
    const path = file.toString('utf8', at + 46, at + 46 + (name ?? 0))
    const start = file.readUInt32LE(at + 42)
    if (/\.(?:xml|rels)$/i.test(path) && start + 30 <= file.length) {
      const content = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28)
      const packed = file.subarray(content, content + file.readUInt32LE(at + 20))
      yield { packed, isDeflated: file.readUInt16LE(at + 10) === DEFLATED }
    }
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
}

function findEnd(file: Buffer): number {
  const earliest = Math.max(0, file.length - END_LENGTH - MAX_COMMENT)
  for (let at = file.length - END_LENGTH; at >= earliest; at -= 1)
    if (file.readUInt32LE(at) === END_OF_DIRECTORY) return at
  return -1
}

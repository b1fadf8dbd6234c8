/** A ZIP file of a few parts, as DOCX is one: each part is compressed, names are ASCII, and no part is near 4 GB. */
import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

export interface ZipPart {
  readonly name: string
  readonly text: string
}

/** Away from the main thread: a long report must not hold up other requests. */
const compress = promisify(deflateRaw)

const VERSION = 20
const DEFLATED = 8
/** 1980-01-01, so that equal reports are equal files. */
const DOS_DAY = 0x21

interface PackedPart {
  readonly name: Buffer
  readonly sizes: Buffer
  readonly packed: Buffer
  readonly offset: number
}

export async function zip(parts: readonly ZipPart[]): Promise<Buffer> {
  const packed: PackedPart[] = []
  const pieces: Buffer[] = []
  let offset = 0
  for (const { name, text } of parts) {
    const raw = Buffer.from(text, 'utf8')
    // oxlint-disable-next-line no-await-in-loop -- one part after the other, so that one is in memory at a time
    const part = describePart(Buffer.from(name, 'ascii'), raw, await compress(raw), offset)
    const local = Buffer.concat([signature(0x04034b50), part.sizes, part.name, part.packed])
    packed.push(part)
    pieces.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(packed.map(directoryEntry))
  return Buffer.concat([...pieces, directory, endOfDirectory(packed.length, directory.length, offset)])
}

/** Both headers of a part share these fields: version, flags, method, time, day, checksum, both sizes, length of the name. */
function describePart(name: Buffer, raw: Buffer, packed: Buffer, offset: number): PackedPart {
  const sizes = Buffer.alloc(26)
  sizes.writeUInt16LE(VERSION, 0)
  sizes.writeUInt16LE(DEFLATED, 4)
  sizes.writeUInt16LE(DOS_DAY, 8)
  sizes.writeUInt32LE(crc32(raw), 10)
  sizes.writeUInt32LE(packed.length, 14)
  sizes.writeUInt32LE(raw.length, 18)
  sizes.writeUInt16LE(name.length, 22)
  return { name, sizes, packed, offset }
}

function directoryEntry({ name, sizes, offset }: PackedPart): Buffer {
  const madeBy = Buffer.alloc(2)
  madeBy.writeUInt16LE(VERSION)
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(offset, 10)
  return Buffer.concat([signature(0x02014b50), madeBy, sizes, rest, name])
}

function endOfDirectory(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(18)
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([signature(0x06054b50), end])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

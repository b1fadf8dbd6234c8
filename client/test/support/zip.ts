/** Opens a ZIP file by its directory, as programs do, and checks what each part says of itself. */
import { crc32, inflateRawSync } from 'node:zlib'

export function readParts(file: Buffer): Map<string, string> {
  const end = file.lastIndexOf(Buffer.from('504b0506', 'hex'))
  const count = file.readUInt16LE(end + 10)
  const parts = new Map<string, string>()
  let at = file.readUInt32LE(end + 16)
  for (let no = 0; no < count; no += 1) {
    if (file.readUInt32LE(at) !== 0x02014b50) throw new Error(`There is no entry ${no} at ${at}.`)
    const length = file.readUInt16LE(at + 28)
    const name = file.toString('ascii', at + 46, at + 46 + length)
    parts.set(name, readPart(file, file.readUInt32LE(at + 42), name, file.readUInt32LE(at + 16)))
    at += 46 + length + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return parts
}

function readPart(file: Buffer, at: number, name: string, checksum: number): string {
  if (file.readUInt32LE(at) !== 0x04034b50)
    throw new Error(`${name} does not begin where the directory says.`)
  const start = at + 30 + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28)
  const raw = inflateRawSync(file.subarray(start, start + file.readUInt32LE(at + 18)))
  if (crc32(raw) !== checksum || raw.length !== file.readUInt32LE(at + 22))
    throw new Error(`${name} is not what its checksum and size say.`)
  return raw.toString('utf8')
}

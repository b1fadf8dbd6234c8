/** The files of a backup: one a table, the rows as COPY writes them, compressed. For its owner's eyes only. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Transform } from 'node:stream'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { ManifestTable } from './manifest.ts'

export interface WrittenFile {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

/** Made if need be. One that holds something is refused: nothing is ever written over. */
export async function requireEmptyFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  if ((await readdir(dir)).length > 0)
    throw new Error(`${dir} is not empty; give a folder that is, or one that does not exist yet`)
}

export async function writeTableFile(dir: string, table: string, rows: Readable): Promise<WrittenFile> {
  const file = `${table}.copy.gz`
  const measured = measure()
  // The fastest level: what is sealed does not get smaller, and what is not loses little.
  await pipeline(
    rows,
    createGzip({ level: 1 }),
    measured.through,
    createWriteStream(join(dir, file), { flags: 'wx', mode: 0o600, flush: true }),
  )
  return { file, ...measured.result() }
}

export async function verifyTableFile(dir: string, expected: ManifestTable): Promise<void> {
  const path = join(dir, expected.file)
  const measured = measure()
  measured.through.resume()
  try {
    await pipeline(createReadStream(path), measured.through)
  } catch (cause) {
    throw new Error(`${path} cannot be read`, { cause })
  }
  const { bytes, sha256 } = measured.result()
  if (bytes !== expected.bytes || sha256 !== expected.sha256)
    throw new Error(`${path} is not as it was written: its SHA-256 is not the one in the manifest`)
}

/** A failure on the way ends the stream with it. */
export function readTableFile(dir: string, { file }: ManifestTable): Readable {
  const rows = new PassThrough()
  pipeline(createReadStream(join(dir, file)), createGunzip(), rows).catch((error: Error) =>
    rows.destroy(error),
  )
  return rows
}

function measure() {
  const hash = createHash('sha256')
  let bytes = 0
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { through, result: () => ({ bytes, sha256: hash.digest('hex') }) }
}

/** Searches the files of a server as they lie on the disk: what nobody shows may still have been written. */
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export interface FileSearch {
  readonly files: number
  readonly bytes: number
  /** In how many files each of the needles stands, in their order. */
  readonly hits: readonly number[]
}

type Needle = string | Buffer

/** At a time, in one buffer for all files: most of the thousands that a server has are small. */
const CHUNK = 4 * 1024 * 1024

/** Every file below the folder that was written to since then; what is older cannot hold anything of this run. */
export async function searchFiles(
  folder: string,
  since: number,
  needles: readonly Needle[],
): Promise<FileSearch> {
  const wanted = needles.map((needle) => (typeof needle === 'string' ? Buffer.from(needle) : needle))
  const buffer = Buffer.allocUnsafe(CHUNK + Math.max(...wanted.map(({ length }) => length)))
  const hits = needles.map(() => 0)
  let files = 0
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const size = await sizeIfFresh(path, since)
    if (size === undefined) continue
    files += 1
    bytes += size
    for (const [at, found] of (await searchFile(path, wanted, buffer)).entries())
      hits[at] = (hits[at] ?? 0) + Number(found)
  }
  return { files, bytes, hits }
}

/** Until the last of the needles stands there: that is the proof that the right place is searched. */
export async function searchUntilFound(
  folder: string,
  since: number,
  needles: readonly Needle[],
  withinMs: number,
): Promise<FileSearch> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await searchFiles(folder, since, needles)
    if ((found.hits.at(-1) ?? 0) > 0 || performance.now() > deadline) return found
    await delay(200)
  }
}

/** Undefined for a file that is older, or gone: a server at work comes and goes with its files. */
async function sizeIfFresh(path: string, since: number): Promise<number | undefined> {
  try {
    const { mtimeMs, size } = await stat(path)
    return mtimeMs >= since ? size : undefined
  } catch {
    return undefined
  }
}

async function searchFile(path: string, needles: readonly Buffer[], buffer: Buffer): Promise<boolean[]> {
  const found = needles.map(() => false)
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return found
  try {
    const longest = buffer.length - CHUNK
    let kept = 0
    for (;;) {
      const { bytesRead } = await file.read(buffer, kept, CHUNK, null)
      if (bytesRead === 0) return found
      const window = buffer.subarray(0, kept + bytesRead)
      for (const [at, needle] of needles.entries()) found[at] ||= window.includes(needle)
      // The end stays in front of the next part: a needle may lie across the boundary.
      kept = Math.min(longest, window.length)
      window.copyWithin(0, window.length - kept)
    }
  } finally {
    await file.close()
  }
}

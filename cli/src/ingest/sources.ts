/** Which files are meant, and what each is called: the same path is the same document, run after run. */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { FileType } from '@concord/client'
import { fileTypeOf } from './file-types.ts'

export interface Source {
  /** The path as the person knows it. */
  readonly path: string
  readonly documentId: string
  readonly name: string
  /** Undefined where there is nothing here that can read it. */
  readonly type: FileType | undefined
  read(): Promise<Uint8Array>
}

export interface Sources {
  readonly sources: readonly Source[]
  /** Files in folders that are of no type that can be read. */
  readonly leftOut: number
}

/** As long as an id of a document may be. */
const LONGEST_ID = 200

export async function collectSources(paths: readonly string[], root: string): Promise<Sources> {
  const found = await Promise.all(paths.map((path) => collect(path, root)))
  const sources = new Map<string, Source>()
  for (const source of found.flatMap((each) => each.sources)) {
    const other = sources.get(source.documentId)
    if (other && other.path !== source.path)
      throw new Error(
        `${other.path} and ${source.path} would be one document, ${source.documentId}; run this from a folder above both.`,
      )
    sources.set(source.documentId, source)
  }
  return {
    sources: [...sources.values()],
    leftOut: found.reduce((sum, { leftOut }) => sum + leftOut, 0),
  }
}

async function collect(path: string, root: string): Promise<Sources> {
  const place = await stat(path).catch(() => undefined)
  if (!place) throw new Error(`There is no ${path}.`)
  if (!place.isDirectory()) return { sources: [sourceOf(path, idOf(path, path, root))], leftOut: 0 }
  const files = await walk(path)
  const known = files.filter((file) => fileTypeOf(file) !== undefined)
  return {
    sources: known.map((file) => sourceOf(file, idOf(file, path, root))),
    leftOut: files.length - known.length,
  }
}

/** In a fixed order; what begins with a dot is nobody's document. */
async function walk(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry) => {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) return walk(path)
        return entry.isFile() ? [path] : []
      }),
  )
  return found.flat()
}

/** From where the person stands; of a place elsewhere, from the folder around what was named. */
function idOf(file: string, named: string, root: string): string {
  const below = relative(resolve(root), resolve(file))
  const outside = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)
  const path = outside ? relative(dirname(resolve(named)), resolve(file)) : below
  return withinBounds(path.split(sep).join('/').normalize('NFC'))
}

function withinBounds(id: string): string {
  const characters = Array.from(id)
  if (characters.length <= LONGEST_ID) return id
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 16)
  return `${digest}-${characters.slice(digest.length + 1 - LONGEST_ID).join('')}`
}

function sourceOf(path: string, documentId: string): Source {
  return {
    path,
    documentId,
    name: basename(path),
    type: fileTypeOf(path),
    read: () => readFile(path),
  }
}

export function sourceOfInput(documentId: string, type: FileType, read: () => Promise<Uint8Array>): Source {
  return { path: '-', documentId, name: documentId, type, read }
}

/**
 * Markers in comments of the product: `// @point NAME` on a line of its own marks the code that begins on the next one,
 * `-- @point NAME` at the end of a line of SQL marks that line.
 */
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The text of each source file of the product by its path from the root of the repository. */
export type SourceTexts = ReadonlyMap<string, string>

export interface SourceMarker {
  readonly name: string
  readonly file: string
  readonly language: 'typescript' | 'sql'
  readonly offset: number
}

const FILES = '{contract,reading,reader-rules,service,client,cli,mcp}/{src,migrations,sql}/**/*.{ts,sql}'
const MARKER = /(?<=^[ \t]*)\/\/ @point (?<code>[\w.-]+)|(?<=\S.*)-- @point (?<line>[\w.-]+)/gm

export async function readSources(repository: string): Promise<Map<string, string>> {
  const sources = new Map<string, string>()
  for await (const file of glob(FILES, { cwd: repository }))
    sources.set(file, await readFile(join(repository, file), 'utf8'))
  return sources
}

export function findMarkers(sources: SourceTexts): SourceMarker[] {
  return [...sources].flatMap(([file, text]) =>
    text.includes('@point') ? [...text.matchAll(MARKER)].map((match) => toMarker(file, match)) : [],
  )
}

function toMarker(file: string, { groups, index }: RegExpExecArray): SourceMarker {
  const { code, line = '' } = groups ?? {}
  return code === undefined
    ? { name: line, file, language: 'sql', offset: index }
    : { name: code, file, language: 'typescript', offset: index }
}

/** A marker that is missing, or there twice, is an error: a sabotage must never test the unbroken product. */
export function findMarker(sources: SourceTexts, name: string): SourceMarker {
  const [marker, ...others] = findMarkers(sources).filter((each) => each.name === name)
  if (!marker) throw new Error(`no file has the marker "@point ${name}": put it where the code went`)
  if (others.length === 0) return marker
  const files = [marker, ...others].map(({ file }) => file).join(', ')
  throw new Error(`the marker "@point ${name}" is there more than once: ${files}`)
}

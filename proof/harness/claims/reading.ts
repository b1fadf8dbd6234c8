/**
 * The pure functions that read a text, loaded from a copy of the repository: this one, or one that was broken on purpose.
 * Only what is looked at here is described; a difference shows at the first call.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { REPOSITORY } from '../command.ts'

type Span = readonly [start: number, end: number]

export interface SpannedClaim {
  readonly span: Span
  readonly valueSpan: Span
  readonly quote: string
  readonly valueText: string
}

export interface StructureReader {
  readStructure(text: string): object
  readClaims(text: string, structure: object): readonly SpannedClaim[]
}

export async function loadReading(repository = REPOSITORY): Promise<StructureReader> {
  const modules = await Promise.all([
    load(repository, 'reading', 'structure.ts'),
    load(repository, 'reader-rules', 'claims.ts'),
  ])
  return Object.assign({}, ...modules) as StructureReader
}

export function readAll(
  { readStructure, readClaims }: StructureReader,
  text: string,
): readonly SpannedClaim[] {
  return readClaims(text, readStructure(text))
}

async function load(repository: string, workspace: string, file: string): Promise<object> {
  const path = join(repository, workspace, 'src', file)
  return (await import(pathToFileURL(path).href)) as object
}

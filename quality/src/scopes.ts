/** Folders of documents as scopes. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScopeText } from './report.ts'

/** Every text of a folder, in the order of names; a document is known by its file name. */
export function readScope(folder: string, name: string): ScopeText {
  const files = readdirSync(folder).filter((file) => /\.(txt|md)$/.test(file))
  return {
    name,
    documents: files
      .toSorted()
      .map((file) => ({ id: file, name: file, text: readFileSync(join(folder, file), 'utf8') })),
  }
}

export function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
}

export function readLines<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)
}

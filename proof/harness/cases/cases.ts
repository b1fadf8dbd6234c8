/** The documents of the case files that are kept in the repository: each case is one scope full of contradictions. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from '../command.ts'

export interface CaseDocument {
  readonly id: string
  readonly text: string
}

export interface Case {
  readonly name: string
  readonly documents: readonly CaseDocument[]
}

const FOLDER = join(REPOSITORY, 'quality', 'cases')

export async function loadCases(most: number): Promise<Case[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(names.toSorted().slice(0, most).map(loadCase))
}

async function loadCase(name: string): Promise<Case> {
  const files = (await readdir(join(FOLDER, name))).filter((file) => /\.(txt|md)$/.test(file)).toSorted()
  const documents = files.map(async (id) => ({ id, text: await readFile(join(FOLDER, name, id), 'utf8') }))
  return { name, documents: await Promise.all(documents) }
}

/** The labelled documents that live beside the repository. They are read where they are, and missing elsewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../../../shared/quality')

export const present = existsSync(root)

export interface RealDocument {
  readonly name: string
  readonly text: string
}

function readFolder(folder: string): RealDocument[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:txt|md)$/.test(name) && !name.includes('README'))
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

export function realDocuments(): RealDocument[] {
  return ['cases', 'reference/documents', 'docsets'].flatMap((folder) => readFolder(join(root, folder)))
}

export interface GoldQuote {
  readonly name: string
  readonly text: string
  readonly quote: string
}

interface Side {
  readonly document: string
  readonly quote: string
}

interface Gold {
  readonly documents: readonly { readonly id: string; readonly file: string }[]
  readonly findings: readonly Record<string, Side | readonly Side[]>[]
  readonly traps: readonly Record<string, Side | readonly Side[]>[]
}

/** Every quote of every finding and trap, with the text it was taken from. */
export function goldQuotes(): GoldQuote[] {
  const folder = join(root, 'cases')
  if (!existsSync(folder)) return []
  const cases = readdirSync(folder)
    .filter((name) => name.startsWith('case-'))
    .toSorted()
  return cases.flatMap((name) => quotesOf(join(folder, name)))
}

function quotesOf(folder: string): GoldQuote[] {
  const gold = JSON.parse(readFileSync(join(folder, 'gold.json'), 'utf8')) as Gold
  const files = new Map(gold.documents.map((document) => [document.id, document.file]))
  const sides = [...gold.findings, ...gold.traps].flatMap((entry) =>
    ['a', 'b', 'a_also', 'b_also'].flatMap((side) => entry[side] ?? []),
  )
  return sides.map(({ document, quote }) => {
    const name = join(folder, files.get(document) ?? '')
    return { name, text: readFileSync(name, 'utf8'), quote }
  })
}

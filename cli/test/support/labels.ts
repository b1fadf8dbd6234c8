/** The labels of a case of `quality`, for documents of the demo that are copies of its documents. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Contradiction, ContradictionSide } from '@concord/client'

interface Quote {
  readonly document: string
  readonly quote: string
}

interface StoredPair {
  readonly id: string
  readonly a: Quote
  readonly b: Quote
  readonly a_also?: readonly Quote[]
  readonly b_also?: readonly Quote[]
}

interface Stored {
  readonly documents: readonly { readonly id: string; readonly file: string }[]
  readonly findings: readonly StoredPair[]
  readonly traps: readonly StoredPair[]
}

/** Characters of a document of the demo. */
interface Place {
  readonly document: string
  readonly start: number
  readonly end: number
}

export interface LabelledPair {
  readonly id: string
  readonly a: readonly Place[]
  readonly b: readonly Place[]
}

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Throws where a labelled document is not among those of the demo, letter by letter. */
export function readLabels(
  scopeId: string,
  caseName: string,
): { readonly findings: readonly LabelledPair[]; readonly traps: readonly LabelledPair[] } {
  const folder = join(ROOT, 'quality', 'natural', caseName)
  const stored = JSON.parse(readFileSync(join(folder, 'gold.json'), 'utf8')) as Stored
  const shown = readTexts(join(ROOT, 'cli', 'demo', scopeId))
  const names = new Map(stored.documents.map(({ id, file }) => [id, copyOf(join(folder, file), shown)]))
  const locate = ({ document, quote }: Quote): Place => {
    const name = names.get(document) ?? ''
    const start = Array.from((shown.get(name) ?? '').split(quote)[0] ?? '').length
    return { document: name, start, end: start + Array.from(quote).length }
  }
  const toPair = ({ id, a, b, a_also: moreOfA = [], b_also: moreOfB = [] }: StoredPair) => ({
    id,
    a: [a, ...moreOfA].map(locate),
    b: [b, ...moreOfB].map(locate),
  })
  return { findings: stored.findings.map(toPair), traps: stored.traps.map(toPair) }
}

function readTexts(folder: string): ReadonlyMap<string, string> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

function copyOf(file: string, texts: ReadonlyMap<string, string>): string {
  const text = readFileSync(file, 'utf8')
  const found = [...texts].find(([, other]) => other === text)
  if (!found) throw new Error(`${file} has no copy among the documents of the demo`)
  return found[0]
}

/** Whether both sides share characters with the sides of a contradiction. */
export function isReported(found: readonly Contradiction[], { a, b }: LabelledPair): boolean {
  return found.some((each) => (isAt(each.a, a) && isAt(each.b, b)) || (isAt(each.a, b) && isAt(each.b, a)))
}

function isAt({ document_id: id, start, end }: ContradictionSide, places: readonly Place[]): boolean {
  return places.some((place) => place.document === id && (start ?? 0) < place.end && place.start < (end ?? 0))
}

/** The few contradictions that the reference's scenario manifests label: found when both values stand in one report. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { QualityInput, QualitySet } from '../measure.ts'
import { shorten, showShare } from '../print.ts'
import type { Report } from '../report.ts'
import { readScope } from '../scopes.ts'
import { ratio, shareOf } from '../scores.ts'
import { plain } from '../words.ts'

/** A manifest, as far as it is read: each document names the labelled contradictions that it brings. */
interface Manifest {
  readonly id: string
  readonly documents?: readonly {
    readonly path: string
    readonly contradictions?: readonly {
      readonly dimension: string
      readonly oldValue: string
      readonly newValue: string
    }[]
  }[]
}

interface Labelled {
  readonly scenario: string
  readonly folder: string
  /** The file that brings the newer value. */
  readonly file: string
  readonly dimension: string
  readonly old: string
  readonly new: string
}

export const scenarios: QualitySet = {
  name: 'scenarios',
  about: 'contradictions labelled in the scenario manifests of the reference',
  foreign: true,
  readsScopes: true,
  async run(bench) {
    const labelled = readManifests(join(bench.data ?? '', 'reference/manifests'))
    const found = new Set<Labelled>()
    for (const [folder, members] of Map.groupBy(labelled, (label) => label.folder)) {
      const { reports } = await bench.reader.read(
        readScope(join(bench.data ?? '', 'reference/documents', folder), `reference-${folder}`),
      )
      for (const label of members) if (reports.some((report) => isFound(label, report))) found.add(label)
    }
    const share = shareOf(labelled, (label) => found.has(label))
    bench.print(`  labelled contradictions found: ${showShare(share)}`)
    if (bench.verbose) for (const label of labelled) printOne(bench, label, found.has(label))
    return { figures: { recall: ratio(share) }, samples: [] }
  },
}

function readManifests(folder: string): readonly Labelled[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      // In this schema every scalar is text, so a label such as 94.0 keeps its zero.
      const text = readFileSync(join(folder, name), 'utf8')
      const { id, documents = [] } = parse(text, { schema: 'failsafe' }) as Manifest
      return documents.flatMap(({ path, contradictions = [] }) => {
        const [scope = '', file = ''] = path.split('/')
        return contradictions.map(({ dimension, oldValue, newValue }) => ({
          scenario: id,
          folder: scope,
          file,
          dimension,
          old: oldValue,
          new: newValue,
        }))
      })
    })
}

/** The figures of both sides stand in its quotes; a side without a figure is labelled by its dimension, and must speak of that. */
function isFound(label: Labelled, { a, b }: Report): boolean {
  const fits = (newer: Report['a'], older: Report['a']) =>
    newer.document === label.file &&
    holds(newer.quote, label.new, label.dimension) &&
    holds(older.quote, label.old, label.dimension)
  return fits(a, b) || fits(b, a)
}

/** Whether a quote has what a label says of its side. */
export function holds(quote: string, value: string, dimension: string): boolean {
  const [figure] = figuresIn(value)
  // "94.0%" is what "94%" is.
  if (figure !== undefined) return figuresIn(quote).some((said) => isSame(said, figure))
  return plain(quote).includes(plain(dimension.replaceAll('_', ' ')))
}

/** In "Q1 2026 index 91%" it is the percentage that is labelled, and not the year; in "Site 07" nothing is. */
function figuresIn(text: string): string[] {
  return text.match(/\d[\d.,]*\s?%|[€$£]\s?\d[\d.,]*\w?|\b\d[\d.,]*\s?\/\s?\d+/g) ?? []
}

function isSame(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => text.replaceAll(/[\s,]/g, '').replace(/\.0+(?=\D|$)/, ''))
  return x === y
}

function printOne({ print }: QualityInput, label: Labelled, isThere: boolean): void {
  print(`- ${isThere ? 'FOUND' : 'MISSED'} ${label.scenario} ${label.dimension} in ${label.file}`)
  if (isThere) return
  print(`    old: ${shorten(label.old)}`)
  print(`    new: ${shorten(label.new)}`)
}

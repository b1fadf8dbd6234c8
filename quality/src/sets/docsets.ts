/** Document sets with labelled topics. A report is right when the strings of two sides of a topic stand in its quotes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleOf } from '../measure.ts'
import type { QualityInput, Measured, QualitySet } from '../measure.ts'
import { printTable, shorten, showShare } from '../print.ts'
import type { Evidence, ReportPlace, Report, ScopeReading, ScopeText } from '../report.ts'
import { foldersIn, readScope } from '../scopes.ts'
import { ratio, shareOf } from '../scores.ts'
import type { Share } from '../scores.ts'
import { printCounts, printLoss, printReport } from '../show.ts'
import { placesOfWords, plain } from '../words.ts'

export interface Topic {
  readonly id: string
  readonly level: string
  readonly type: string
  readonly sides: readonly { readonly docs: readonly number[]; readonly any: readonly string[] }[]
}

interface StoredSet {
  readonly docs: readonly { readonly id: number; readonly file: string }[]
  readonly gold: readonly Topic[]
}

interface DocsetResult {
  readonly name: string
  readonly topics: readonly Topic[]
  readonly reading: ScopeReading
  readonly places: (side: Topic['sides'][number]) => readonly ReportPlace[]
  readonly found: ReadonlySet<Topic>
  readonly right: readonly Report[]
  readonly wrong: readonly Report[]
}

export const docsets: QualitySet = {
  name: 'docsets',
  about: 'document sets with labelled topics (development check)',
  foreign: true,
  readsScopes: true,
  async run(bench) {
    const results: DocsetResult[] = []
    for (const name of foldersIn(join(bench.data ?? '', 'docsets'))) results.push(await readOne(bench, name))
    if (bench.verbose) for (const result of results) printDetails(bench, result)
    return printTotals(bench, results)
  },
}

async function readOne({ reader, data }: QualityInput, name: string): Promise<DocsetResult> {
  const folder = join(data ?? '', 'docsets', name)
  const stored = JSON.parse(readFileSync(join(folder, 'gold.json'), 'utf8')) as StoredSet
  const numbers = new Map(stored.docs.map(({ id, file }) => [file.replace(/^docs\//, ''), id]))
  const scope = readScope(join(folder, 'docs'), `docset-${name}`)
  const reading = await reader.read(scope)
  const about = (report: Report) => stored.gold.filter((topic) => isAbout(topic, report, numbers))
  return {
    name,
    topics: stored.gold,
    reading,
    places: (side) => placesIn(scope, numbers, side),
    found: new Set(reading.reports.flatMap(about)),
    right: reading.reports.filter((report) => about(report).length > 0),
    wrong: reading.reports.filter((report) => about(report).length === 0),
  }
}

/** Its quotes hold the strings of two different sides, each in a document of that side. */
export function isAbout({ sides }: Topic, { a, b }: Report, numbers: ReadonlyMap<string, number>): boolean {
  const on = (side: Topic['sides'][number], { document, quote }: Evidence) =>
    side.docs.includes(numbers.get(document) ?? -1) &&
    side.any.some((words) => plain(quote).includes(plain(words)))
  return sides.some((x) => sides.some((y) => x !== y && on(x, a) && on(y, b)))
}

function printTotals({ print }: QualityInput, results: readonly DocsetResult[]): Measured {
  const level = (result: DocsetResult, wanted: string): Share =>
    shareOf(
      result.topics.filter((topic) => topic.level === wanted),
      (topic) => result.found.has(topic),
    )
  const precision = ({ right, wrong }: DocsetResult): Share => ({
    part: right.length,
    whole: right.length + wrong.length,
  })
  const all = { core: add(results.map((r) => level(r, 'core'))), precision: add(results.map(precision)) }
  const soft = add(results.map((r) => level(r, 'soft')))
  printTable(print, [
    ['set', 'core recall', 'soft recall', 'precision of reports', 'claims'],
    ...results.map((r) => [
      r.name,
      showShare(level(r, 'core')),
      showShare(level(r, 'soft')),
      showShare(precision(r)),
      String(r.reading.claims),
    ]),
    ['all', showShare(all.core), showShare(soft), showShare(all.precision), ''],
  ])
  const clean = results.filter(({ topics }) => topics.length === 0)
  const alarms = clean.reduce((sum, { reading }) => sum + reading.reports.length, 0)
  print(`  reports in clean controls (${clean.map(({ name }) => name).join(', ')}): ${alarms}`)
  return {
    figures: {
      core_recall: ratio(all.core),
      soft_recall: ratio(soft),
      precision: ratio(all.precision),
      clean_alarms: alarms,
    },
    samples: results.flatMap(({ right, wrong }) => [
      ...right.map(sampleOf(true)),
      ...wrong.map(sampleOf(false)),
    ]),
  }
}

const add = (shares: readonly Share[]): Share => ({
  part: shares.reduce((sum, { part }) => sum + part, 0),
  whole: shares.reduce((sum, { whole }) => sum + whole, 0),
})

function printDetails(
  { print }: QualityInput,
  { name, topics, found, wrong, reading, places }: DocsetResult,
): void {
  print(`## ${name}`)
  const lost = topics.filter((topic) => !found.has(topic))
  const losses = lost.map((topic) => {
    const [first = [], ...others] = topic.sides.map((side) => places(side))
    return reading.explain?.(first, others.flat())
  })
  for (const [index, topic] of lost.entries()) {
    const sides = topic.sides.map(({ docs, any }) => `${docs.join(',')}: ${any.join(' / ')}`)
    print(`- MISSED ${topic.level} ${topic.type} ${topic.id}: ${shorten(sides.join(' | '), 200)}`)
    printLoss(print, losses[index])
  }
  for (const report of wrong) printReport(print, 'UNMATCHED', report)
  printCounts(
    print,
    '## missed by level and cause',
    lost.map(({ level }, index) => `${level}: ${losses[index]?.cause ?? 'not reported'}`),
  )
}

/** Where the strings of a side stand. */
function placesIn(
  { documents }: ScopeText,
  numbers: ReadonlyMap<string, number>,
  { docs, any }: Topic['sides'][number],
): readonly ReportPlace[] {
  return documents
    .filter(({ id }) => docs.includes(numbers.get(id) ?? -1))
    .flatMap(({ id, text }) =>
      any.flatMap((words) =>
        placesOfWords(text, words).map(([start, end]) => ({ document: id, start, end })),
      ),
    )
}

/**
 * One memo a scope that restates facts of its documents, faithfully or altered. An item counts as reported when a report
 * ties its sentence in the memo to the document it came from.
 */
import { join } from 'node:path'
import { sampleOf } from '../measure.ts'
import type { QualityInput, Measured, QualitySet, Sample } from '../measure.ts'
import { printTable, shorten, showRatio, showShare } from '../print.ts'
import type { Cause, Evidence, ReportPlace, Report, ScopeText } from '../report.ts'
import { foldersIn, readLines, readScope } from '../scopes.ts'
import { f1, ratio, shareBy, shareOf } from '../scores.ts'
import { printCounts, printLoss, printReport } from '../show.ts'
import { placesOfWords } from '../words.ts'

export interface SeededItem {
  readonly id: string
  readonly kind: string
  readonly label: string
  readonly base_doc: string
  readonly base: string
  readonly memo: string
}

interface Judged {
  readonly item: SeededItem
  readonly reports: readonly Report[]
  /** Why nothing was reported; asked for only where somebody wants to know. */
  readonly loss: () => Cause | undefined
}

const MEMO = 'memo.txt'

export const seeded: QualitySet = {
  name: 'seeded',
  about: 'memos that restate facts, faithfully or altered (generated from foreign documents)',
  foreign: true,
  readsScopes: true,
  async run(bench) {
    const judged: Judged[] = []
    for (const name of foldersIn(join(bench.data ?? '', 'seeded')))
      judged.push(...(await readOne(bench, name)))
    if (bench.verbose) printDetails(bench, judged)
    return printTotals(bench, judged)
  },
}

async function readOne({ reader, data }: QualityInput, name: string): Promise<readonly Judged[]> {
  const base = readScope(join(data ?? '', 'reference/documents', name), `seeded-${name}`)
  const memo = readScope(join(data ?? '', 'seeded', name), name).documents
  const scope: ScopeText = { ...base, documents: [...base.documents, ...memo] }
  const { reports, explain } = await reader.read(scope)
  return readLines<SeededItem>(join(data ?? '', 'seeded', name, 'items.jsonl')).map((item) => {
    const place = placeOf(scope, MEMO, item.memo)
    return {
      item,
      reports: reports.filter((report) => ties(report, item, place)),
      loss: () => explain?.([place], [placeOf(scope, item.base_doc, item.base)]),
    }
  })
}

function placeOf({ documents }: ScopeText, document: string, words: string): ReportPlace {
  const text = documents.find(({ id }) => id === document)?.text ?? ''
  const [start, end] = placesOfWords(text, words)[0] ?? [-1, -1]
  return { document, start, end }
}

/** One side in the item's sentence of the memo, the other in the document the item came from. */
function ties({ a, b }: Report, item: SeededItem, memo: ReportPlace): boolean {
  const inMemo = (side: Evidence) =>
    side.document === memo.document && side.start < memo.end && memo.start < side.end
  const inBase = (side: Evidence) => side.document === item.base_doc
  return (inMemo(a) && inBase(b)) || (inMemo(b) && inBase(a))
}

function printTotals({ print }: QualityInput, judged: readonly Judged[]): Measured {
  const isReported = ({ reports }: Judged) => reports.length > 0
  const altered = judged.filter(({ item }) => item.label === 'contradiction')
  const faithful = judged.filter(({ item }) => item.label !== 'contradiction')
  const recall = shareOf(altered, isReported)
  const alarms = shareOf(faithful, isReported)
  const precision = { part: recall.part, whole: recall.part + alarms.part }
  const f = f1(ratio(precision), ratio(recall))
  print(`  precision ${showShare(precision)}, recall ${showShare(recall)}, F1 ${showRatio(f)}`)
  const by = (items: readonly Judged[]) => shareBy(items, ({ item }) => item.kind, isReported)
  printTable(print, [
    ['kind', 'reported'],
    ...[...by(altered)].map(([kind, share]) => [kind, showShare(share)]),
    ...[...by(faithful)].map(([kind, share]) => [`${kind} (must not be)`, showShare(share)]),
  ])
  return {
    figures: { precision: ratio(precision), recall: ratio(recall), false_alarms: ratio(alarms) },
    samples: samplesOf(judged),
  }
}

/** A report may tie several items and still is one report; it is right where one of them was altered. */
function samplesOf(judged: readonly Judged[]): readonly Sample[] {
  const right = new Map<Report, boolean>()
  for (const { item, reports } of judged)
    for (const report of reports)
      right.set(report, (right.get(report) ?? false) || item.label === 'contradiction')
  return [...right].map(([report, isRight]) => sampleOf(isRight)(report))
}

function printDetails({ print }: QualityInput, judged: readonly Judged[]): void {
  for (const { item, reports, loss } of judged) {
    const isAltered = item.label === 'contradiction'
    if (isAltered === reports.length > 0) continue
    print(`- ${isAltered ? 'MISSED' : 'FALSE ALARM'} ${item.kind} ${item.id} in ${item.base_doc}`)
    print(`    memo: ${shorten(item.memo)}`)
    print(`    base: ${shorten(item.base)}`)
    if (isAltered) printLoss(print, loss())
    for (const report of reports) printReport(print, 'reported', report)
  }
  const lost = judged.filter(({ item, reports }) => item.label === 'contradiction' && reports.length === 0)
  printCounts(
    print,
    '## missed by kind and cause',
    lost.map(({ item, loss }) => `${item.kind}: ${loss()?.cause ?? 'not reported'}`),
  )
}

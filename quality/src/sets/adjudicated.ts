/** Detections of a prototype that people judged: the false ones must stay gone, the right ones are worth finding. */
import { join } from 'node:path'
import { sampleOf } from '../measure.ts'
import type { QualityInput, Measured, QualitySet, Sample } from '../measure.ts'
import { printTable, shorten, showShare } from '../print.ts'
import type { Evidence, Report } from '../report.ts'
import { readLines, readScope } from '../scopes.ts'
import { ratio, shareBy } from '../scores.ts'
import { printReport } from '../show.ts'
import { likeness } from '../words.ts'

export interface Detection {
  readonly id: string
  readonly set: string
  readonly a: string
  readonly b: string
  readonly docA: number
  readonly docB: number
  readonly label: string
}

/** Quotes are cut otherwise than the prototype cut them, so most of the words will do. */
const ALIKE = 0.75

export const adjudicated: QualitySet = {
  name: 'adjudicated',
  about: 'detections of a prototype, judged by hand (known false alarms)',
  foreign: true,
  readsScopes: true,
  async run(bench) {
    const detections = readLines<Detection>(join(bench.data ?? '', 'adjudicated/detections.jsonl'))
    const judged: Judged[] = []
    const sizes: string[][] = [['scope', 'documents', 'claims', 'reports']]
    for (const [set, members] of Map.groupBy(detections, (detection) => detection.set)) {
      const scope = readScope(join(bench.data ?? '', 'reference/documents', set), `reference-${set}`)
      const { reports, claims } = await bench.reader.read(scope)
      sizes.push([set, ...[scope.documents.length, claims, reports.length].map(String)])
      // Nobody judged the others, but whoever asks for this set alone wants to see them.
      if (bench.verbose && bench.alone) for (const report of reports) printReport(bench.print, set, report)
      for (const detection of members)
        judged.push({ detection, reports: reports.filter((report) => isSame(detection, report)) })
    }
    if (bench.verbose)
      for (const { detection, reports } of judged) printOne(bench, detection, reports.length > 0)
    printTable(bench.print, sizes)
    return printTotals(bench, judged)
  },
}

interface Judged {
  readonly detection: Detection
  readonly reports: readonly Report[]
}

function printTotals({ print }: QualityInput, judged: readonly Judged[]): Measured {
  const by = shareBy(
    judged,
    ({ detection }) => detection.label,
    ({ reports }) => reports.length > 0,
  )
  const share = (label: string) => by.get(label) ?? { part: 0, whole: 0 }
  print(`  spurious ones that come back: ${showShare(share('spurious'))}`)
  print(`  conflicts found: ${showShare(share('conflict'))}, changes found: ${showShare(share('change'))}`)
  return {
    figures: {
      spurious_back: ratio(share('spurious')),
      conflicts_found: ratio(share('conflict')),
      changes_found: ratio(share('change')),
    },
    samples: samplesOf(judged),
  }
}

/** A report may match several detections and still is one report; it is right where one of them is. */
function samplesOf(judged: readonly Judged[]): readonly Sample[] {
  const right = new Map<Report, boolean>()
  for (const { detection, reports } of judged)
    for (const report of reports)
      right.set(report, (right.get(report) ?? false) || detection.label !== 'spurious')
  return [...right].map(([report, isRight]) => sampleOf(isRight)(report))
}

/** The same two documents, by the number their names begin with, and mostly the same words. */
export function isSame({ a, b, docA, docB }: Detection, report: Report): boolean {
  const isSide = (x: Evidence, y: Evidence) => isQuoted(x, docA, a) && isQuoted(y, docB, b)
  return isSide(report.a, report.b) || isSide(report.b, report.a)
}

function isQuoted({ document, quote }: Evidence, doc: number, words: string): boolean {
  return Number.parseInt(document, 10) === doc && likeness(quote, words) >= ALIKE
}

function printOne({ print }: QualityInput, { id, label, a, b }: Detection, isBack: boolean): void {
  if (isBack !== (label === 'spurious')) return
  print(`- ${isBack ? 'SPURIOUS AGAIN' : `MISSED ${label}`} ${id}`)
  print(`    a: ${shorten(a)}`)
  print(`    b: ${shorten(b)}`)
}

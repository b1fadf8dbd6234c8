/** Reports, losses and counts as a person reads them. */
import { shorten } from './print.ts'
import type { Print } from './print.ts'
import type { Cause, Report } from './report.ts'

export function printReport(print: Print, name: string, report: Report): void {
  const { relation, kind, rule, severity, confidence, a, b, detail } = report
  print(`- ${name} ${relation} ${kind} by ${rule}, ${confidence.toFixed(2)}, ${severity}`)
  print(`    a ${a.document}: ${shorten(a.quote)}`)
  print(`    b ${b.document}: ${shorten(b.quote)}`)
  for (const line of detail) print(`      ${line}`)
}

export function printLoss(print: Print, loss: Cause | undefined): void {
  if (loss === undefined) return
  print(`      ${loss.cause}`)
  for (const line of loss.detail) print(`      ${line}`)
}

export function printCounts(print: Print, title: string, words: readonly string[]): void {
  print(title)
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, found]) => ({
    word,
    count: found.length,
  }))
  for (const { word, count } of counts.toSorted((x, y) => y.count - x.count || (x.word < y.word ? -1 : 1)))
    print(`  ${count} ${word}`)
}

/** The details for a writer of rules: each miss with its cause, each report that nobody labelled, each trap that sprang. */
import { shorten } from '../print.ts'
import type { Print } from '../print.ts'
import { printCounts, printReport } from '../show.ts'
import type { CaseResult } from '../scores.ts'

export function printDetails(print: Print, results: readonly CaseResult[]): void {
  for (const result of results) {
    const { matches, missed, unmatched, alarms } = result.outcome
    print('')
    print(
      `## ${result.gold.name}: ${matches.length} found, ${missed.length} missed, ${unmatched.length} unmatched, ${alarms.length} alarms`,
    )
    printMissed(print, result)
    printWrongRelations(print, result)
    printUnmatched(print, result)
  }
  printCauses(print, results)
}

function printMissed(print: Print, { gold, reading, outcome }: CaseResult): void {
  for (const finding of outcome.missed) {
    const loss = reading.explain?.(finding.a.places, finding.b.places)
    const { id, relation, kind, difficulty, subject, attribute } = finding
    print(
      `- MISSED ${gold.name} ${id} ${relation} ${kind} ${difficulty}: ${subject}: ${attribute}: ${loss?.cause ?? 'not reported'}`,
    )
    print(`    a ${finding.a.places[0]?.document}: ${shorten(finding.a.quote)}`)
    print(`    b ${finding.b.places[0]?.document}: ${shorten(finding.b.quote)}`)
    for (const line of loss?.detail ?? []) print(`      ${line}`)
  }
}

function printWrongRelations(print: Print, { gold, outcome }: CaseResult): void {
  for (const { finding, report } of outcome.matches)
    if (finding.relation !== report.relation)
      printReport(print, `RELATION ${gold.name} ${finding.id}: is ${finding.relation}, reported`, report)
}

function printUnmatched(print: Print, { gold, outcome }: CaseResult): void {
  for (const report of outcome.unmatched) {
    const traps = outcome.alarms.filter((alarm) => alarm.report === report).map(({ trap }) => trap)
    const name =
      traps.length === 0 ? 'UNMATCHED' : `TRAP ${traps.map(({ id, trap }) => `${id} ${trap}`).join(', ')}`
    printReport(print, `${name} ${gold.name}:`, report)
  }
}

function printCauses(print: Print, results: readonly CaseResult[]): void {
  print('')
  printCounts(print, '## missed by cause', causesOf(results))
  printCounts(
    print,
    '## unmatched by rule',
    results.flatMap(({ outcome }) => outcome.unmatched.map(({ rule }) => rule)),
  )
  print('')
}

export function causesOf(results: readonly CaseResult[]): readonly string[] {
  return results.flatMap(({ reading, outcome }) =>
    outcome.missed.map(
      (finding) => reading.explain?.(finding.a.places, finding.b.places).cause ?? 'not reported',
    ),
  )
}

/** Cases with every contradiction and trap labelled: reads each as a scope, matches, scores and prints. */
import type { GoldCase } from '../gold.ts'
import { matchReports } from '../matching.ts'
import { printTable, showRatio, showShare } from '../print.ts'
import type { Print } from '../print.ts'
import type { Reader } from '../report.ts'
import { f1, macro, ratio, relations, scoreCases } from '../scores.ts'
import type { CaseResult, CaseScores } from '../scores.ts'

export async function readAll(reader: Reader, cases: readonly GoldCase[]): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = []
  for (const gold of cases) {
    const reading = await reader.read(gold.scope)
    results.push({ gold, reading, outcome: matchReports(gold.findings, gold.traps, reading.reports) })
  }
  return results
}

export function printScores(print: Print, results: readonly CaseResult[]): CaseScores {
  const scores = scoreCases(results)
  const single = results.map((result) => ({ result, scores: scoreCases([result]) }))
  printTable(print, [
    ['case', 'precision', 'conflict precision', 'recall', 'hard alarms', 'soft', 'again', 'claims', 'domain'],
    ...single.map(({ result, scores: own }) => [
      result.gold.name,
      ...overview(own),
      String(result.reading.claims),
      result.gold.domain,
    ]),
    ['all', ...overview(scores), String(claimsIn(results)), ''],
  ])
  const precision = macro(single.map(({ scores: own }) => own.precision))
  const recall = macro(single.map(({ scores: own }) => own.recall))
  const f = f1(ratio(scores.precision), ratio(scores.recall))
  print(
    `  F1 ${showRatio(f)}; mean over cases: precision ${showRatio(precision)}, recall ${showRatio(recall)}`,
  )
  printRelations(print, scores)
  printRecall(print, scores)
  printAlarms(print, scores)
  printSizes(print, results, scores)
  return scores
}

function overview(scores: CaseScores): string[] {
  const { precision, conflictPrecision, recall, hardAlarms, softAlarms, duplicates } = scores
  return [
    ...[precision, conflictPrecision, recall, hardAlarms, softAlarms].map(showShare),
    String(duplicates),
  ]
}

function printRelations(print: Print, { relationRight, confusion }: CaseScores): void {
  print(`  relation right ${showShare(relationRight)}; labelled (row) and reported (column):`)
  printTable(print, [
    ['', ...relations],
    ...relations.map((gold) => [
      gold,
      ...relations.map((told) => String(confusion.get(gold)?.get(told) ?? 0)),
    ]),
  ])
}

function printRecall(print: Print, { recallBy, graveRecall }: CaseScores): void {
  for (const by of ['relation', 'difficulty', 'kind'] as const) {
    const shown = [...recallBy[by]].map(([name, share]) => `${name} ${showShare(share)}`)
    print(`  recall by ${by}: ${shown.join(', ')}`)
  }
  print(`  recall on severity high and critical: ${showShare(graveRecall)}`)
}

function printAlarms(print: Print, { alarmsBy }: CaseScores): void {
  const sprung = [...alarmsBy].filter(([, { hard, soft }]) => hard.part + soft.part > 0)
  const shown = sprung.map(([trap, { hard, soft }]) => `${trap} ${hard.part}+${soft.part} of ${hard.whole}`)
  print(`  trap alarms by type, hard+soft: ${shown.length === 0 ? 'none' : shown.join(', ')}`)
}

function printSizes(print: Print, results: readonly CaseResult[], { inexactQuotes }: CaseScores): void {
  const claims = claimsIn(results)
  const pairs = results.reduce((sum, { reading }) => sum + (reading.pairs ?? 0), 0)
  const told = results.every(({ reading }) => reading.pairs !== null)
  const each = told && claims > 0 ? `, ${(pairs / claims).toFixed(2)} compared pairs a claim` : ''
  print(`  quotes that are not exact: ${inexactQuotes}; ${claims} claims${each}`)
}

const claimsIn = (results: readonly CaseResult[]) =>
  results.reduce((sum, { reading }) => sum + reading.claims, 0)

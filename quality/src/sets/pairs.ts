/** Sentence pairs of public sets, judged by the same code. Most say nothing that can be compared: abstaining is counted. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { judgeTexts } from '../direct/pair.ts'
import type { DirectPairVerdict } from '../direct/pair.ts'
import type { QualityInput, QualitySet } from '../measure.ts'
import { printTable, shorten, showShare } from '../print.ts'
import { readLines } from '../scopes.ts'
import { ratio, shareOf } from '../scores.ts'
import type { Share } from '../scores.ts'

interface Pair {
  readonly id: string
  readonly a: string
  readonly b: string
  readonly label: string
}

interface JudgedPair extends Pair {
  readonly verdict: DirectPairVerdict
}

/** All sets together are read in a few seconds only when a part of them stands for the whole. */
const EVERY = 10

export const pairs: QualitySet = {
  name: 'pairs',
  about: 'public sentence pairs (every tenth, all of them with --set pairs)',
  foreign: true,
  readsScopes: false,
  async run(bench) {
    const folder = join(bench.data ?? '', 'pairs')
    const sets = readdirSync(folder)
      .toSorted()
      .map((file) => judgeFile(bench, join(folder, file), file.replace('.jsonl', '')))
    if (bench.verbose && bench.alone) for (const { judged } of sets) printFalse(bench, judged)
    printTable(bench.print, [
      ['set', 'pairs', 'contradiction precision', 'recall', 'same precision', 'abstained'],
      ...sets.map(({ name, judged }) => [name, String(judged.length), ...sharesOf(judged).map(showShare)]),
    ])
    const [precision] = sharesOf(sets.flatMap(({ judged }) => judged))
    return { figures: { precision: precision === undefined ? null : ratio(precision) }, samples: [] }
  },
}

function judgeFile(
  { alone }: QualityInput,
  file: string,
  name: string,
): { name: string; judged: readonly JudgedPair[] } {
  const all = readLines<Pair>(file)
  const some = alone ? all : all.filter((_, index) => index % EVERY === 0)
  return { name, judged: some.map((pair) => ({ ...pair, verdict: judgeTexts(pair.a, pair.b) })) }
}

function sharesOf(judged: readonly JudgedPair[]): readonly Share[] {
  const told = (verdict: DirectPairVerdict) => judged.filter((pair) => pair.verdict === verdict)
  return [
    shareOf(told('contradiction'), ({ label }) => label === 'contradiction'),
    shareOf(
      judged.filter(({ label }) => label === 'contradiction'),
      ({ verdict }) => verdict === 'contradiction',
    ),
    shareOf(told('equivalent'), ({ label }) => label === 'entailment'),
    shareOf(judged, ({ verdict }) => verdict === 'abstained'),
  ]
}

function printFalse({ print }: QualityInput, judged: readonly JudgedPair[]): void {
  for (const { id, label, verdict, a, b } of judged) {
    if (verdict !== 'contradiction' || label === 'contradiction') continue
    print(`- FALSE ALARM ${id} (${label})`)
    print(`    a: ${shorten(a)}`)
    print(`    b: ${shorten(b)}`)
  }
}

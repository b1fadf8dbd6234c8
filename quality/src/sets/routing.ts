/**
 * The reference's labelled sentence pairs: what is merged, what is blocked, what is left to a person. Its own model's stored
 * verdicts are scored in the same way beside ours.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { judgeTexts } from '../direct/pair.ts'
import type { QualityInput, Measured, QualitySet } from '../measure.ts'
import { printTable, shorten, showShare } from '../print.ts'
import { ratio, shareOf } from '../scores.ts'
import type { Share } from '../scores.ts'

export interface RoutedPair {
  readonly id: string
  readonly category: string
  readonly prior: string
  readonly next: string
}

export interface Routed extends RoutedPair {
  readonly verdict: string
}

interface RoutingScores {
  readonly accuracy: Share
  /** Pairs that only add to or sharpen each other, called contradictory. */
  readonly overFlagged: Share
  readonly falseMerges: number
  readonly contradictions: { readonly precision: Share; readonly recall: Share }
}

export const pairs57: QualitySet = routingSet(
  'pairs57',
  'gold57.yaml',
  'the 57 sentence pairs of the reference',
)
export const held6: QualitySet = routingSet('held6', 'held6.yaml', 'its 6 held-out pairs')

function routingSet(name: string, file: string, about: string): QualitySet {
  return {
    name,
    about,
    foreign: true,
    readsScopes: false,
    async run(bench) {
      const folder = join(bench.data ?? '', 'reference')
      const pairs = readPairs(join(folder, 'pairs', file))
      const ours = pairs.map((pair) => ({
        ...pair,
        verdict: judgeTexts(pair.prior, pair.next),
      }))
      if (bench.verbose) for (const pair of ours) if (!isRight(pair)) printOne(bench, pair)
      const rivals = readVerdicts(join(folder, 'verdicts'), new Set(pairs.map(({ id }) => id)))
      return printTotals(bench, ours, rivals)
    },
  }
}

/** A reason that keeps a pair from being merged is right for one that must not be; a person is asked where nothing is decided. */
export function isRight({ category, verdict }: Pick<Routed, 'category' | 'verdict'>): boolean {
  switch (category) {
    case 'paraphrase':
      return verdict === 'equivalent'
    case 'false_positive_trap':
      return verdict !== 'equivalent'
    case 'contradiction':
    case 'refutation':
      return verdict === 'contradiction'
    default:
      return verdict === 'neutral' || verdict === 'abstained'
  }
}

export function scoreRouting(pairs: readonly Routed[]): RoutingScores {
  const isFlagged = ({ verdict }: Routed) => verdict === 'contradiction'
  const isContradiction = ({ category }: Routed) => category === 'contradiction' || category === 'refutation'
  return {
    accuracy: shareOf(pairs, isRight),
    overFlagged: shareOf(
      pairs.filter(({ category }) => category === 'ambiguous_hitl'),
      isFlagged,
    ),
    falseMerges: pairs.filter(
      ({ category, verdict }) => category !== 'paraphrase' && verdict === 'equivalent',
    ).length,
    contradictions: {
      // Pairs that must not be merged may well contradict each other, so they count neither way.
      precision: shareOf(
        pairs.filter((pair) => isFlagged(pair) && pair.category !== 'false_positive_trap'),
        isContradiction,
      ),
      recall: shareOf(pairs.filter(isContradiction), isFlagged),
    },
  }
}

function readPairs(file: string): readonly RoutedPair[] {
  const text = readFileSync(file, 'utf8')
  const { pairs } = parse(text, { schema: 'failsafe' }) as { readonly pairs: readonly RoutedPair[] }
  return pairs.map(({ id, category, prior, next }) => ({ id, category, prior, next }))
}

interface StoredVerdicts {
  readonly verdicts: readonly (RoutedPair & { readonly label: string })[]
}

function readVerdicts(folder: string, ids: ReadonlySet<string>): ReadonlyMap<string, readonly Routed[]> {
  const files = existsSync(folder) ? readdirSync(folder).toSorted() : []
  const runs = files.map((file): [string, readonly Routed[]] => {
    const { verdicts } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as StoredVerdicts
    const known = verdicts.filter(({ id }) => ids.has(id))
    return [file.replace(/^verdicts-|\.json$/g, ''), known.map((pair) => ({ ...pair, verdict: pair.label }))]
  })
  return new Map(runs.filter(([, pairs]) => pairs.length > 0))
}

function printTotals(
  { print }: QualityInput,
  ours: readonly Routed[],
  rivals: ReadonlyMap<string, readonly Routed[]>,
): Measured {
  const row = (name: string, pairs: readonly Routed[]) => {
    const { accuracy, overFlagged, falseMerges, contradictions } = scoreRouting(pairs)
    const shares = [accuracy, overFlagged].map(showShare)
    const { precision, recall } = contradictions
    return [name, ...shares, String(falseMerges), showShare(precision), showShare(recall)]
  }
  printTable(print, [
    [
      '',
      'routing right',
      'accrual or refinement flagged',
      'false merges',
      'contradiction precision',
      'recall',
    ],
    row('ours', ours),
    // Abstaining is right for two of the classes, so any figure has to be seen beside this one.
    row(
      'abstaining always',
      ours.map((pair) => ({ ...pair, verdict: 'abstained' })),
    ),
    ...[...rivals].map(([name, pairs]) => row(name, pairs)),
  ])
  const abstained = shareOf(ours, ({ verdict }) => verdict === 'abstained')
  print(`  ours abstains on ${showShare(abstained)}`)
  const scores = scoreRouting(ours)
  return {
    figures: {
      routing: ratio(scores.accuracy),
      over_flagged: scores.overFlagged.part,
      false_merges: scores.falseMerges,
    },
    samples: [],
  }
}

function printOne({ print }: QualityInput, { id, category, verdict, prior, next }: Routed): void {
  print(`- ${category} judged ${verdict}: ${id}`)
  print(`    prior: ${shorten(prior)}`)
  print(`    next:  ${shorten(next)}`)
}

/** The arithmetic of cases/README.md over the outcomes of several cases. */
import type { GoldCase, GoldFinding } from './gold.ts'
import type { MatchOutcome } from './matching.ts'
import type { Report, ReportRelation, ScopeReading } from './report.ts'

/** A share as its two counts, so that shares can be added up and shown with their size. */
export interface Share {
  readonly part: number
  readonly whole: number
}

export interface CaseResult {
  readonly gold: GoldCase
  readonly reading: ScopeReading
  readonly outcome: MatchOutcome
}

export interface CaseScores {
  readonly precision: Share
  readonly conflictPrecision: Share
  readonly recall: Share
  readonly recallBy: Readonly<Record<'kind' | 'difficulty' | 'relation', ReadonlyMap<string, Share>>>
  readonly graveRecall: Share
  readonly relationRight: Share
  /** Labelled relation, then reported relation, then how often. */
  readonly confusion: ReadonlyMap<ReportRelation, ReadonlyMap<ReportRelation, number>>
  readonly hardAlarms: Share
  readonly softAlarms: Share
  readonly alarmsBy: ReadonlyMap<string, { readonly hard: Share; readonly soft: Share }>
  readonly duplicates: number
  readonly inexactQuotes: number
}

export const relations: readonly ReportRelation[] = ['conflict', 'restatement', 'change']

export const ratio = ({ part, whole }: Share) => (whole === 0 ? null : part / whole)

export const f1 = (precision: number | null, recall: number | null) =>
  precision === null || recall === null || precision + recall === 0
    ? null
    : (2 * precision * recall) / (precision + recall)

const isHard = ({ relation }: Report) => relation !== 'change'

export function scoreCases(results: readonly CaseResult[]): CaseScores {
  const matches = results.flatMap(({ outcome }) => outcome.matches)
  const wrong = results.flatMap(({ outcome }) => outcome.unmatched)
  const findings = results.flatMap(({ gold }) => gold.findings)
  const found = new Set(matches.map(({ finding }) => finding))
  const recallOf = (of: (finding: GoldFinding) => string) =>
    shareBy(findings, of, (finding) => found.has(finding))
  const right = matches.map(({ report }) => report)
  return {
    precision: { part: right.length, whole: right.length + wrong.length },
    conflictPrecision: {
      part: right.filter(isHard).length,
      whole: right.filter(isHard).length + wrong.filter(isHard).length,
    },
    recall: { part: found.size, whole: findings.length },
    recallBy: {
      kind: recallOf(({ kind }) => kind),
      difficulty: recallOf(({ difficulty }) => difficulty),
      relation: recallOf(({ relation }) => relation),
    },
    graveRecall: shareOf(
      findings.filter(({ severity }) => severity === 'high' || severity === 'critical'),
      (finding) => found.has(finding),
    ),
    relationRight: shareOf(matches, ({ finding, report }) => finding.relation === report.relation),
    confusion: new Map(
      relations.map((gold) => [
        gold,
        countBy(
          matches.filter(({ finding }) => finding.relation === gold),
          ({ report }) => report.relation,
        ),
      ]),
    ),
    ...scoreTraps(results),
    duplicates: results.reduce((sum, { outcome }) => sum + outcome.duplicates.length, 0),
    inexactQuotes: results.reduce((sum, result) => sum + inexactQuotes(result), 0),
  }
}

function scoreTraps(
  results: readonly CaseResult[],
): Pick<CaseScores, 'hardAlarms' | 'softAlarms' | 'alarmsBy'> {
  const traps = results.flatMap(({ gold }) => gold.traps)
  const alarms = results.flatMap(({ outcome }) => outcome.alarms)
  const hard = new Set(alarms.filter(({ report }) => isHard(report)).map(({ trap }) => trap))
  // A trap that was sprung hard is not counted as a soft one again.
  const soft = new Set(alarms.map(({ trap }) => trap).filter((trap) => !hard.has(trap)))
  const softBy = shareBy(
    traps,
    ({ trap }) => trap,
    (trap) => soft.has(trap),
  )
  const hardBy = shareBy(
    traps,
    ({ trap }) => trap,
    (trap) => hard.has(trap),
  )
  return {
    hardAlarms: { part: hard.size, whole: traps.length },
    softAlarms: { part: soft.size, whole: traps.length },
    alarmsBy: new Map(
      [...hardBy].map(([trap, share]) => [
        trap,
        { hard: share, soft: softBy.get(trap) ?? { part: 0, whole: 0 } },
      ]),
    ),
  }
}

function inexactQuotes({ gold, reading }: CaseResult): number {
  const texts = new Map(gold.scope.documents.map(({ id, text }) => [id, text]))
  return reading.reports
    .flatMap(({ a, b }) => [a, b])
    .filter(({ document, start, end, quote }) => texts.get(document)?.slice(start, end) !== quote).length
}

/** The mean over cases, each counting the same. */
export function macro(shares: readonly Share[]): number | null {
  const ratios = shares.map(ratio).filter((value) => value !== null)
  return ratios.length === 0 ? null : ratios.reduce((sum, value) => sum + value, 0) / ratios.length
}

export function shareOf<T>(items: readonly T[], isIn: (item: T) => boolean): Share {
  return { part: items.filter((item) => isIn(item)).length, whole: items.length }
}

export function shareBy<T>(
  items: readonly T[],
  of: (item: T) => string,
  isIn: (item: T) => boolean,
): ReadonlyMap<string, Share> {
  const groups = Map.groupBy(items, of)
  return new Map(
    [...groups]
      .toSorted(([x], [y]) => (x < y ? -1 : 1))
      .map(([name, members]) => [name, shareOf(members, isIn)]),
  )
}

function countBy<T, K extends string>(items: readonly T[], of: (item: T) => K): ReadonlyMap<K, number> {
  return new Map([...Map.groupBy(items, of)].map(([name, members]) => [name, members.length]))
}

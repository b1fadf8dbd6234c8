/**
 * The matching rule of cases/README.md: which report is which labelled finding, which repeats one that has been found, and
 * which falls into a trap. One to one, best overlap first.
 */
import type { GoldFinding, GoldPair, GoldTrap } from './gold.ts'
import type { Evidence, ReportPlace, Report } from './report.ts'
import type { GoldSide } from './sides.ts'

export interface Match {
  readonly finding: GoldFinding
  readonly report: Report
}

export interface Alarm {
  readonly trap: GoldTrap
  readonly report: Report
}

export interface MatchOutcome {
  readonly matches: readonly Match[]
  readonly missed: readonly GoldFinding[]
  /** Further reports of a finding that is matched: neither right nor wrong. */
  readonly duplicates: readonly Report[]
  /** Reports that match no finding; those that fall into a trap are among them. */
  readonly unmatched: readonly Report[]
  readonly alarms: readonly Alarm[]
}

interface Candidate extends Match {
  readonly overlap: number
}

export function matchReports(
  findings: readonly GoldFinding[],
  traps: readonly GoldTrap[],
  reports: readonly Report[],
): MatchOutcome {
  const candidates = findings
    .flatMap((finding) =>
      reports.map((report): Candidate => ({ finding, report, overlap: overlapOf(finding, report) })),
    )
    .filter(({ overlap }) => overlap > 0)
    .toSorted((x, y) => y.overlap - x.overlap || y.report.confidence - x.report.confidence)
  const byFinding = new Map<GoldFinding, Candidate>()
  const taken = new Set<Report>()
  for (const candidate of candidates) {
    if (byFinding.has(candidate.finding) || taken.has(candidate.report)) continue
    byFinding.set(candidate.finding, candidate)
    taken.add(candidate.report)
  }
  const touching = new Set(candidates.map(({ report }) => report))
  const unmatched = reports.filter((report) => !touching.has(report))
  return {
    matches: findings.flatMap((finding) => byFinding.get(finding) ?? []),
    missed: findings.filter((finding) => !byFinding.has(finding)),
    duplicates: reports.filter((report) => touching.has(report) && !taken.has(report)),
    unmatched,
    alarms: unmatched.flatMap((report) =>
      traps.filter((trap) => overlapOf(trap, report) > 0).map((trap) => ({ trap, report })),
    ),
  }
}

/** How well a report covers a labelled pair, in the better order of its sides; 0 where one side does not match. */
function overlapOf(gold: GoldPair, report: Report): number {
  return Math.max(both(gold.a, report.a, gold.b, report.b), both(gold.a, report.b, gold.b, report.a))
}

function both(goldA: GoldSide, a: Evidence, goldB: GoldSide, b: Evidence): number {
  const first = overlapOfSide(goldA, a)
  const second = overlapOfSide(goldB, b)
  return first === 0 || second === 0 ? 0 : first + second
}

/** Rule 1 counts for more than rule 2, and a value inside the quote for more than one beside it. */
function overlapOfSide(side: GoldSide, evidence: Evidence): number {
  const shares = side.places.map((place) => {
    const share = shareOf(place, evidence)
    return share === 0 ? 0 : share + (isValueWithin(place, evidence) ? 1 : 0)
  })
  const best = Math.max(0, ...shares)
  if (best > 0) return best
  return side.around.some((around) => standsIn(around, evidence)) ? 0.01 : 0
}

/** Shared characters out of all that either covers. */
function shareOf(place: ReportPlace, evidence: Evidence): number {
  if (place.document !== evidence.document) return 0
  const shared = Math.min(place.end, evidence.end) - Math.max(place.start, evidence.start)
  if (shared <= 0) return 0
  return shared / (Math.max(place.end, evidence.end) - Math.min(place.start, evidence.start))
}

function isValueWithin(place: ReportPlace, { value }: Evidence): boolean {
  return value !== null && value[0] < place.end && place.start < value[1]
}

function standsIn(around: GoldSide['around'][number], evidence: Evidence): boolean {
  const { place, values } = around
  const isWithin =
    place.document === evidence.document && place.start <= evidence.start && evidence.end <= place.end
  return isWithin && values.some((value) => evidence.quote.includes(value))
}

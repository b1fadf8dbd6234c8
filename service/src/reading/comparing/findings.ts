/**
 * The disagreements within one group of claims. The answer is a function of the set of members alone: they are sorted before
 * anything is chosen, so the order in which documents arrived leaves no trace.
 */
import type { Claim } from '../../domain/claim.ts'
import type { Finding, Judgement, PlacedClaim, Relation } from '../../domain/finding.ts'
import { reportedFrom } from './confidence.ts'
import { explain, periodText } from './explaining.ts'
import { judgePrepared } from './judging.ts'
import { keysOf } from './keys.ts'
import { prepare, type Prepared } from './prepared.ts'
import { severityOf } from './severity.ts'
import { valueKeyOf } from './values.ts'

const mostFindings = 12

type Reported = Finding['relation']

interface Worked {
  readonly prepared: Prepared
  readonly keys: readonly string[]
  readonly value: string
  /** What it is to others it has met. */
  readonly judged: WeakMap<Prepared, Judgement>
}

interface Member extends Worked {
  readonly placed: PlacedClaim
}

/** What was worked out of a claim: it is in several groups, and the same for all of them. */
export type Memory = WeakMap<Claim, Worked>

interface Pair {
  readonly a: Member
  readonly b: Member
  readonly relation: Reported
  readonly judgement: Judgement
  /** How many of subject and period both sides state themselves. */
  readonly explicit: number
}

function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function byPlace(a: PlacedClaim, b: PlacedClaim): number {
  return byText(a.documentId, b.documentId) || a.version - b.version || a.no - b.no
}

function member(placed: PlacedClaim, memory: Memory): Member {
  const { claim } = placed
  let worked = memory.get(claim)
  if (worked === undefined) {
    worked = {
      prepared: prepare(claim),
      keys: keysOf(claim),
      value: valueKeyOf(claim),
      judged: new WeakMap(),
    }
    memory.set(claim, worked)
  }
  return { placed, ...worked }
}

function judgeOnce(a: Worked, b: Worked): Judgement {
  let judgement = a.judged.get(b.prepared) ?? b.judged.get(a.prepared)
  if (judgement === undefined) {
    judgement = judgePrepared(a.prepared, b.prepared)
    a.judged.set(b.prepared, judgement)
  }
  return judgement
}

/** The key both share and both rank highest: a pair is judged there and nowhere else. */
function meetUnder(a: Member, b: Member): string | null {
  let best: string | null = null
  let bestRank = Number.POSITIVE_INFINITY
  let at = -1
  for (const key of a.keys) {
    at += 1
    const other = b.keys.indexOf(key)
    if (other < 0) continue
    const rank = at + other
    if (rank < bestRank || (rank === bestRank && best !== null && key < best)) {
      best = key
      bestRank = rank
    }
  }
  return best
}

function isReported(relation: Relation): relation is Reported {
  return relation === 'conflict' || relation === 'restatement' || relation === 'change'
}

function time(value: number | null): number {
  return value ?? Number.NEGATIVE_INFINITY
}

function announces(claim: PlacedClaim): number {
  return claim.claim.replaces === null ? 0 : 1
}

/** Who says that it replaces something is the newer one; then the time spoken of, the time of speaking, and the place. */
function byAge(relation: Reported, a: PlacedClaim, b: PlacedClaim): number {
  const spoken = compareTimes(a.claim.assertedAt, b.claim.assertedAt)
  if (relation === 'conflict') return spoken || byPlace(a, b)
  const announced = announces(a) - announces(b)
  return (
    announced ||
    (relation === 'change' ? compareTimes(a.claim.period?.[1] ?? null, b.claim.period?.[1] ?? null) : 0) ||
    spoken ||
    byPlace(a, b)
  )
}

function compareTimes(a: number | null, b: number | null): number {
  if (a === b) return 0
  return time(a) < time(b) ? -1 : 1
}

function pairOf(x: Member, y: Member): Pair | null {
  const judgement = judgeOnce(x, y)
  const { relation } = judgement
  if (!isReported(relation) || judgement.confidence < reportedFrom) return null
  const [a, b] = byAge(relation, x.placed, y.placed) <= 0 ? [x, y] : [y, x]
  return { a, b, relation, judgement, explicit: explicitness(x) + explicitness(y) }
}

function explicitness({ prepared }: Member): number {
  return (prepared.subjectFrom === 'named' ? 1 : 0) + (prepared.claim.period === null ? 0 : 1)
}

function byStrength(x: Pair, y: Pair): number {
  return (
    y.judgement.confidence - x.judgement.confidence ||
    y.explicit - x.explicit ||
    byPlace(x.a.placed, y.a.placed) ||
    byPlace(x.b.placed, y.b.placed)
  )
}

function pairsOf(key: string, members: readonly Member[]): Pair[] {
  const pairs: Pair[] = []
  const before: Member[] = []
  for (const y of members) {
    for (const x of before) {
      if (x.placed.documentId === y.placed.documentId || x.value === y.value) continue
      if (meetUnder(x, y) !== key) continue
      const pair = pairOf(x, y)
      if (pair !== null && !isBeside(members, pair)) pairs.push(pair)
    }
    before.push(y)
  }
  return pairs.toSorted(byStrength)
}

function isBeside(members: readonly Member[], { a, b, relation }: Pair): boolean {
  return relation === 'conflict' && (saysAlso(members, a, b) || saysAlso(members, b, a))
}

/** The sentence or row of one side also says what the other says: it has two figures, and this is not the one to compare. */
function saysAlso(members: readonly Member[], side: Member, other: Member): boolean {
  return members.some(
    (beside) =>
      beside !== side &&
      beside.placed.documentId === side.placed.documentId &&
      beside.placed.claim.span[0] === side.placed.claim.span[0] &&
      judgeOnce(beside, other).relation === 'same',
  )
}

/** A sentence that denies all at once contradicts many others of a document: one of them is enough. */
function blanketOf(pair: Pair): string | null {
  const denies = [pair.a, pair.b].some(
    ({ prepared: { claim } }) => claim.value.type === 'existence' && claim.value.blanket,
  )
  if (!denies) return null
  return [pair.a.placed.documentId, pair.b.placed.documentId].toSorted(byText).join('\n')
}

function periodOf(a: PlacedClaim, b: PlacedClaim): string | null {
  const period = a.claim.period ?? b.claim.period
  return period === null ? null : periodText(period)
}

function subjectOf(pair: Pair): string {
  const named = [pair.a, pair.b].find(({ prepared }) => prepared.subjectFrom === 'named')
  return (named ?? pair.a).placed.claim.subject.text || pair.b.placed.claim.subject.text
}

function findingOf(pair: Pair, further: number): Finding {
  const a = pair.a.placed
  const b = pair.b.placed
  const about = {
    subject: subjectOf(pair),
    attribute: a.claim.attribute.text || b.claim.attribute.text,
    period: periodOf(a, b),
  }
  return {
    relation: pair.relation,
    kind: b.claim.kind === 'existence' ? 'existence' : a.claim.kind,
    rule: pair.judgement.reason,
    ...about,
    severity: severityOf(pair.relation, a.claim, b.claim),
    confidence: pair.judgement.confidence,
    explanation: explain(pair.relation, about, a.claim, b.claim),
    a,
    b,
    further,
  }
}

/** Which pairs of values have been told: one finding a pair and relation, the rest is counted. */
function toldApart(values: readonly string[]): (pair: Pair) => string {
  const numbers = new Map(values.toSorted(byText).map((value, at) => [value, at]))
  return ({ a, b, relation }) => {
    const x = numbers.get(a.value) ?? 0
    const y = numbers.get(b.value) ?? 0
    return x < y ? `${relation}${x},${y}` : `${relation}${y},${x}`
  }
}

/** Whoever asks about several groups of the same claims hands the memory on from one to the next. */
export function findIn(
  key: string,
  members: readonly PlacedClaim[],
  memory: Memory = new WeakMap(),
): Finding[] {
  const sorted = members.toSorted(byPlace).map((placed) => member(placed, memory))
  const valuesOf = toldApart(sorted.map(({ value }) => value))
  const best = new Map<string, { readonly pair: Pair; readonly places: Set<PlacedClaim> }>()
  const blankets = new Set<string>()
  for (const pair of pairsOf(key, sorted)) {
    const values = valuesOf(pair)
    const known = best.get(values)
    if (known !== undefined) {
      known.places.add(pair.a.placed).add(pair.b.placed)
      continue
    }
    const blanket = blanketOf(pair)
    if (blanket !== null && blankets.has(blanket)) continue
    if (blanket !== null) blankets.add(blanket)
    best.set(values, { pair, places: new Set([pair.a.placed, pair.b.placed]) })
  }
  return [...best.values()].slice(0, mostFindings).map(({ pair, places }) => findingOf(pair, places.size - 2))
}

/**
 * The disagreements within one group of claims. The answer is a function of the set of members alone: they are sorted before
 * anything is chosen, so the order in which documents arrived leaves no trace.
 */
import type { Claim } from '@concord/reading/src/claim.ts'
import type { Finding, Judgement, PlacedClaim, Relation } from '@concord/reading/src/finding.ts'
import { confidenceOf } from './confidence.ts'
import { explain, periodText } from './explaining.ts'
import type { Order } from './explaining.ts'
import { mayMeetInside } from './internal.ts'
import { judgePrepared } from './judging.ts'
import { keysOf } from './keys.ts'
import { restates, strictlyAfter } from './moving.ts'
import { byPlace, byText, compareTimes } from './order.ts'
import { prepare, type Prepared } from './prepared.ts'
import { tellingOf } from './residue.ts'
import { reportedFrom } from './scoring.ts'
import { severityOf } from './severity.ts'
import { valueKeyOf } from '@concord/reading/src/values/keys.ts'
import { distinguishing, generalSubjects, legalForms } from './words.ts'

const maxFindings = 12

type Reported = Finding['relation']

interface Worked {
  readonly prepared: Prepared
  readonly keys: readonly string[]
  readonly value: string
  /** The relation to other claims. */
  readonly judged: WeakMap<Prepared, Judgement>
}

interface Member extends Worked {
  readonly placed: PlacedClaim
}

/** Values that were worked out of a claim: it is in several groups, and the same for all of them. */
export type Memory = WeakMap<Claim, Worked>

/** The verdict of somebody else about two claims that rules leave open. */
export type Verdicts = (a: PlacedClaim, b: PlacedClaim) => Said | undefined

type Said = Omit<Judgement, 'relation'> & { readonly relation: Reported }

/** Two claims that meet and that rules do not decide on. */
export interface OpenPair {
  readonly a: PlacedClaim
  readonly b: PlacedClaim
  /** How much speaks for asking, from 0 to 1. */
  readonly telling: number
}

interface Pair {
  /** Not by a rule. */
  readonly told: boolean
  readonly a: Member
  readonly b: Member
  readonly relation: Reported
  readonly judgement: Judgement
  /** How many of subject and period both sides state themselves. */
  readonly explicit: number
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

function announces(claim: PlacedClaim): number {
  return claim.claim.replaces === null ? 0 : 1
}

/** The side that is known to correct the other comes second; else age decides. */
function bySide(relation: Reported, a: Member, b: Member): number {
  const known =
    relation === 'restatement'
      ? Number(restates(a.prepared, b.prepared)) - Number(restates(b.prepared, a.prepared))
      : 0
  return known || byAge(relation, a.placed, b.placed)
}

/** The side that says that it replaces something is the newer one; then the time spoken of, the time of speaking, and the place. */
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

function pairOf(x: Member, y: Member, verdicts: Verdicts | undefined): Pair | null {
  const said = verdicts?.(x.placed, y.placed)
  const judgement = said ?? judgeOnce(x, y)
  const { relation } = judgement
  if (!isReported(relation) || judgement.score < reportedFrom) return null
  // A document that corrects or changes a value itself has said why there are two.
  if (isInternal(x, y) && relation !== 'conflict') return null
  const [a, b] = bySide(relation, x, y) <= 0 ? [x, y] : [y, x]
  return { told: said !== undefined, a, b, relation, judgement, explicit: explicitness(x) + explicitness(y) }
}

function explicitness({ prepared }: Member): number {
  return (prepared.subjectFrom === 'named' ? 1 : 0) + (prepared.claim.period === null ? 0 : 1)
}

function isInternal(a: Member, b: Member): boolean {
  return a.placed.documentId === b.placed.documentId
}

/** Rules first: whoever else is asked takes nothing from them, nor do pairs within a document from those between documents. */
function byStrength(x: Pair, y: Pair): number {
  return (
    Number(isInternal(x.a, x.b)) - Number(isInternal(y.a, y.b)) ||
    Number(x.told) - Number(y.told) ||
    y.judgement.score - x.judgement.score ||
    y.explicit - x.explicit ||
    byPlace(x.a.placed, y.a.placed) ||
    byPlace(x.b.placed, y.b.placed)
  )
}

/** Those that have something to say to each other, here and in no other group. */
function* meetings(key: string, members: readonly Member[]): Generator<readonly [Member, Member]> {
  const before: Member[] = []
  for (const y of members) {
    for (const x of before) {
      if (x.value === y.value || (isInternal(x, y) && !mayMeetInside(x.prepared, y.prepared))) continue
      if (meetUnder(x, y) === key) yield [x, y]
    }
    before.push(y)
  }
}

function pairsOf(key: string, members: readonly Member[], verdicts?: Verdicts): Pair[] {
  const pairs: Pair[] = []
  for (const [x, y] of meetings(key, members)) {
    const pair = pairOf(x, y, verdicts)
    if (pair !== null && !isBeside(members, pair) && !areToldApart(members, pair)) pairs.push(pair)
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

/**
 * One of both documents has the same measure of both, each by its name: they are two, and may well differ. A third document is not
 * asked, because it would withdraw a finding by its arrival.
 */
function areToldApart(members: readonly Member[], { a, b }: Pair): boolean {
  const [x, y] = [ownName(a), ownName(b)]
  if (x.length === 0 || y.length === 0 || x.some((word) => y.includes(word))) return false
  const names = (each: Member, words: readonly string[]) =>
    each.prepared.subjectFrom === 'named' &&
    each.prepared.head === a.prepared.head &&
    words.every((word) => each.prepared.subject.includes(word))
  return members.some(
    (one) =>
      (isInternal(one, a) || isInternal(one, b)) &&
      names(one, x) &&
      members.some((other) => isInternal(other, one) && names(other, y)),
  )
}

function ownName({ prepared: { subject } }: Member): readonly string[] {
  return subject.filter(
    (word) => !generalSubjects.has(word) && !legalForms.has(word) && !distinguishing.has(word),
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

/** How much is known of which side is the later one. */
function orderOf(pair: Pair): Order {
  const { relation } = pair
  const [a, b] = [pair.a.prepared, pair.b.prepared]
  if (isInternal(pair.a, pair.b)) return 'inside'
  if (relation !== 'restatement') return relation
  if (strictlyAfter(b, a)) return 'later_corrects'
  return restates(b, a) && !restates(a, b) ? 'other_corrects' : 'either_corrects'
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
    title: null,
    ...about,
    severity: severityOf(pair.relation, a.claim, b.claim),
    // Nobody has measured the worth of what somebody else said.
    confidence: pair.told ? pair.judgement.score : confidenceOf(pair.judgement),
    explanation: explain(orderOf(pair), about, a.claim, b.claim),
    a,
    b,
    further,
  }
}

/** Which pairs of values have been told: one finding a pair and relation, the rest is counted. */
function toldApart(values: readonly string[]): (pair: Pair) => string {
  const numbers = numbered(values)
  return ({ a, b, relation }) => `${relation}${valuesOf(numbers, a, b)}`
}

function numbered(values: readonly string[]): ReadonlyMap<string, number> {
  return new Map(values.toSorted(byText).map((value, at) => [value, at]))
}

function valuesOf(numbers: ReadonlyMap<string, number>, a: Member, b: Member): string {
  const x = numbers.get(a.value) ?? 0
  const y = numbers.get(b.value) ?? 0
  return x < y ? `${x},${y}` : `${y},${x}`
}

/** A finding with every pair that shows it: a side, and what stands against it. */
export interface ShownFinding {
  readonly finding: Finding
  readonly pairs: readonly (readonly [a: PlacedClaim, b: PlacedClaim])[]
  /** The side of a restatement that takes the place of the other; null where its pairs do not tell, or not alike. */
  readonly restatedBy: 'a' | 'b' | null
  /** The same finding, shown by another of its pairs. */
  readonly showBy: (pair: number) => ShownFinding
}

export function findIn(key: string, members: readonly PlacedClaim[], memory?: Memory): Finding[] {
  return findShown(key, members, memory).shown.map(({ finding }) => finding)
}

export interface ShownFindings {
  readonly shown: readonly ShownFinding[]
  /** How many more there are than may be shown. */
  readonly omitted: number
}

/** A caller that asks about several groups of the same claims hands the memory on from one to the next. */
export function findShown(
  key: string,
  members: readonly PlacedClaim[],
  memory: Memory = new WeakMap(),
  verdicts?: Verdicts,
): ShownFindings {
  const sorted = members.toSorted(byPlace).map((placed) => member(placed, memory))
  const tell = toldApart(sorted.map(({ value }) => value))
  const best = new Map<string, Pair[]>()
  const blankets = new Set<string>()
  for (const pair of pairsOf(key, sorted, verdicts)) {
    const values = tell(pair)
    const known = best.get(values)
    if (known !== undefined) {
      known.push(pair)
      continue
    }
    const blanket = blanketOf(pair)
    if (blanket !== null && blankets.has(blanket)) continue
    if (blanket !== null) blankets.add(blanket)
    best.set(values, [pair])
  }
  const shown = [...best.values()].slice(0, maxFindings).flatMap(toShown)
  return { shown, omitted: Math.max(0, best.size - maxFindings) }
}

function toShown(shown: readonly Pair[]): ShownFinding[] {
  const [best] = shown
  return best === undefined ? [] : [shownBy(best, shown)]
}

function shownBy(best: Pair, shown: readonly Pair[]): ShownFinding {
  const pairs = shown.map(({ a, b }) => [a.placed, b.placed] as const)
  return {
    finding: findingOf(best, new Set(pairs.flat()).size - 2),
    pairs,
    restatedBy: best.relation === 'restatement' ? restatingSide(best, shown) : null,
    showBy: (pair) => shownBy(shown[pair] ?? best, shown),
  }
}

/** The age by which sides are ordered is a guess where documents have no date; what a claim says of itself is none. */
function restatingSide(best: Pair, shown: readonly Pair[]): ShownFinding['restatedBy'] {
  const values = new Set(shown.map(restatingValue))
  const [value] = values
  if (values.size !== 1 || value === undefined) return null
  return value === best.a.value ? 'a' : 'b'
}

function restatingValue({ a, b }: Pair): string | undefined {
  const isByA = restates(a.prepared, b.prepared)
  if (isByA === restates(b.prepared, a.prepared)) return undefined
  return isByA ? a.value : b.value
}

/** The pairs that rules leave open in the group: judged too weakly to be told, or hardly about the same, where no rule tells of both values. */
export function openIn(
  key: string,
  members: readonly PlacedClaim[],
  memory: Memory = new WeakMap(),
): OpenPair[] {
  const sorted = members.toSorted(byPlace).map((placed) => member(placed, memory))
  const numbers = numbered(sorted.map(({ value }) => value))
  const told = new Set(pairsOf(key, sorted).map(({ a, b }) => valuesOf(numbers, a, b)))
  const open: OpenPair[] = []
  for (const [x, y] of meetings(key, sorted)) {
    // Rules alone decide within a document.
    if (isInternal(x, y)) continue
    const telling = tellingOf(x.prepared, y.prepared, judgeOnce(x, y))
    if (telling === 0 || told.has(valuesOf(numbers, x, y))) continue
    if (saysAlso(sorted, x, y) || saysAlso(sorted, y, x)) continue
    open.push({ a: x.placed, b: y.placed, telling })
  }
  return open
}

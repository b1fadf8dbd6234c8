/** Short histories of operations on few documents, so that they meet: with tickets and attempts of now, of before, and of others. */
import type { Chance } from '../../../harness/chance.ts'
import { SHARDS, documentRefOf } from '../rules.ts'
import type { DocumentRef, Switch, WorkVerdict } from '../rules.ts'
import type { Holder, Requests } from './pair.ts'

export interface TextDraft {
  readonly ref: DocumentRef
  readonly fingerprint: string
  readonly isLate: boolean
}

/** How far back the ticket and the attempt are taken from: 0 is the present one. */
export interface Pick {
  /** Among the documents that it would fit at that moment; `ref` where there are none or `lot` is negative. */
  readonly lot: number
  readonly ref: DocumentRef
  readonly ticketsAgo: number
  readonly attemptsAgo: number
  /** With the ticket of another document. */
  readonly isForeign: boolean
}

/** Tickets and epochs are chosen when the operation is run, from what there has been until then. */
interface Drafts extends Omit<Requests, 'accept' | 'start' | 'complete' | 'retry' | 'releaseHeld'> {
  accept: readonly TextDraft[]
  start: readonly Pick[]
  complete: readonly (Pick & { readonly verdict: WorkVerdict })[]
  retry: { readonly ref: DocumentRef; readonly lot: number }
  releaseHeld: { readonly ref: DocumentRef; readonly lot: number }
}

export type HistoryOperation = {
  readonly [Kind in keyof Drafts]: { readonly kind: Kind; readonly what: Drafts[Kind] }
}[keyof Drafts]

export function makeHistory(chance: Chance, tenants: readonly string[]): readonly HistoryOperation[] {
  const refs = tenants.flatMap((tenant) =>
    ['north', 'south'].flatMap((scope) =>
      ['a', 'b'].map((document) => documentRefOf(tenant, scope, document)),
    ),
  )
  // Something to work with first, or much of a history would be refusals.
  const what = refs.map((ref) => text(chance, ref)).filter(() => chance.happens(0.7))
  const opening: readonly HistoryOperation[] = [
    { kind: 'accept', what },
    { kind: 'renewLeases', what: { holder: 'one' } },
    { kind: 'dispatch', what: { holder: 'one', shards: SHARDS } },
  ]
  const rest = Array.from({ length: chance.between(20, 40) }, () => makeOperation(chance, refs))
  return [...opening, ...rest]
}

interface Draw {
  readonly chance: Chance
  readonly refs: readonly DocumentRef[]
  readonly ref: DocumentRef
  readonly holder: Holder
}

/** The weight of each kind in a hundred operations: what moves a document forward is frequent, what ends its story is rare. */
const WEIGHTS: readonly (readonly [number, (draw: Draw) => HistoryOperation])[] = [
  [
    10,
    ({ chance, refs }) => ({
      kind: 'accept',
      what: some(chance, refs).map((each) => text(chance, each)),
    }),
  ],
  [13, ({ chance, holder }) => ({ kind: 'dispatch', what: { holder, shards: someShards(chance) } })],
  [22, ({ chance, refs }) => ({ kind: 'start', what: some(chance, refs).map((each) => pick(chance, each)) })],
  [
    18,
    ({ chance, refs }) => ({
      kind: 'complete',
      what: some(chance, refs).map((each) => verdictOn(chance, each)),
    }),
  ],
  [5, ({ chance, ref }) => ({ kind: 'retry', what: { ref, lot: someLot(chance) } })],
  [3, ({ chance, ref }) => ({ kind: 'releaseHeld', what: { ref, lot: someLot(chance) } })],
  [2, ({ ref }) => ({ kind: 'remove', what: { ref } })],
  [
    6,
    ({ chance, ref }) => ({
      kind: 'moveSwitch',
      what: { of: switchOf(chance, ref), op: chance.oneOf(OPS) },
    }),
  ],
  [2, ({ chance, ref }) => ({ kind: chance.oneOf(['reset', 'raiseEpoch']), what: { ref } })],
  [5, ({ holder }) => ({ kind: 'renewLeases', what: { holder } })],
  [1, ({ holder }) => ({ kind: 'releaseLeases', what: { holder } })],
  [2, ({ chance }) => ({ kind: 'freeShard', what: { shard: chance.between(0, SHARDS.length - 1) } })],
  [1, () => ({ kind: 'wipe', what: null })],
  [
    6,
    ({ chance, holder }) => ({
      kind: 'reconcile',
      what: { holder, shards: someShards(chance), held: chance.between(0, 4) },
    }),
  ],
  [4, ({ chance }) => ({ kind: 'wait', what: { seconds: chance.oneOf([1, 3, 5, 12, 20, 45]) } })],
]

function makeOperation(chance: Chance, refs: readonly DocumentRef[]): HistoryOperation {
  const ref = chance.pick(refs) ?? documentRefOf('', '', '')
  const draw = { chance, refs, ref, holder: chance.oneOf<Holder>(['one', 'two']) }
  let left = chance.between(1, 100)
  const chosen = WEIGHTS.find(([weight]) => (left -= weight) <= 0)
  return (chosen ?? WEIGHTS[0])?.[1](draw) ?? { kind: 'wipe', what: null }
}

const someShards = (chance: Chance) =>
  chance.happens(0.7) ? SHARDS : SHARDS.filter(() => chance.happens(0.5))

const someLot = (chance: Chance) => (chance.happens(0.8) ? chance.number() : -1)

/** Most moves let work run, or the histories would be of standing still. */
const OPS = ['start', 'start', 'resume', 'resume', 'restart', 'pause', 'stop'] as const

function switchOf(chance: Chance, { tenant, scopeKey }: DocumentRef): Switch {
  return chance.oneOf<Switch>([
    { tenant: null, scopeKey: null },
    { tenant, scopeKey: null },
    { tenant, scopeKey },
  ])
}

/** Different ones: the product never has the same document twice in a statement. */
function some(chance: Chance, refs: readonly DocumentRef[]): readonly DocumentRef[] {
  const chosen = Array.from({ length: chance.between(1, 4) }, () => chance.pick(refs))
  return [...new Set(chosen)].filter((ref) => ref !== undefined)
}

function text(chance: Chance, ref: DocumentRef): TextDraft {
  return { ref, fingerprint: chance.oneOf(['one', 'two', 'three']), isLate: chance.happens(0.1) }
}

function verdictOn(chance: Chance, ref: DocumentRef): Pick & { readonly verdict: WorkVerdict } {
  const verdicts = ['processed', 'retry', 'retry', 'retry', 'failed', 'held'] as const
  return { ...pick(chance, ref), verdict: chance.oneOf(verdicts) }
}

function pick(chance: Chance, ref: DocumentRef): Pick {
  return {
    ref,
    lot: chance.happens(0.85) ? chance.number() : -1,
    ticketsAgo: chance.happens(0.75) ? 0 : chance.between(1, 2),
    attemptsAgo: chance.happens(0.75) ? 0 : chance.between(-1, 2),
    isForeign: chance.happens(0.05),
  }
}

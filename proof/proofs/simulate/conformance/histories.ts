/** Short histories of operations on few documents, so that they meet: with tickets and attempts of now, of before, and of others. */
import type { Chance } from '../../../harness/chance.ts'
import { placeOf, SHARDS } from '../store.ts'
import type { Place, Verdict } from '../store.ts'
import type { Holder, Requests } from './pair.ts'

export interface TextDraft {
  readonly place: Place
  readonly fingerprint: string
  readonly isLate: boolean
}

/** How far back the ticket and the attempt are taken from: 0 is the present one. */
export interface Pick {
  /** Among the documents that it would fit at that moment; `place` where there are none or `lot` is negative. */
  readonly lot: number
  readonly place: Place
  readonly ticketsAgo: number
  readonly attemptsAgo: number
  /** With the ticket of another document. */
  readonly isForeign: boolean
}

/** Tickets and epochs are chosen when the operation is run, from what there has been until then. */
interface Drafts extends Omit<Requests, 'accept' | 'claim' | 'settle' | 'retry'> {
  accept: readonly TextDraft[]
  claim: readonly Pick[]
  settle: readonly (Pick & { readonly verdict: Verdict })[]
  retry: { readonly place: Place; readonly lot: number }
}

export type Operation = {
  readonly [Kind in keyof Drafts]: { readonly kind: Kind; readonly what: Drafts[Kind] }
}[keyof Drafts]

export function makeHistory(chance: Chance, tenants: readonly string[]): readonly Operation[] {
  const places = tenants.flatMap((tenant) =>
    ['north', 'south'].flatMap((scope) => ['a', 'b'].map((document) => placeOf(tenant, scope, document))),
  )
  // Something to work with first, or much of a history would be refusals.
  const what = places.map((place) => text(chance, place)).filter(() => chance.happens(0.7))
  const opening: readonly Operation[] = [
    { kind: 'accept', what },
    { kind: 'renewLeases', what: { holder: 'one' } },
    { kind: 'release', what: { holder: 'one', shards: SHARDS } },
  ]
  const rest = Array.from({ length: chance.between(20, 40) }, () => makeOperation(chance, places))
  return [...opening, ...rest]
}

/** Weights: what moves a document forward is frequent, what ends its story is rare. */
function makeOperation(chance: Chance, places: readonly Place[]): Operation {
  const dice = chance.number()
  const place = chance.pick(places) ?? placeOf('', '', '')
  const holder: Holder = chance.oneOf(['one', 'two'])
  const shards = () => (chance.happens(0.7) ? SHARDS : SHARDS.filter(() => chance.happens(0.5)))
  if (dice < 0.1) return { kind: 'accept', what: some(chance, places).map((each) => text(chance, each)) }
  if (dice < 0.23) return { kind: 'release', what: { holder, shards: shards() } }
  if (dice < 0.47) return { kind: 'claim', what: some(chance, places).map((each) => pick(chance, each)) }
  if (dice < 0.66)
    return { kind: 'settle', what: some(chance, places).map((each) => verdictOn(chance, each)) }
  if (dice < 0.7) return { kind: 'retry', what: { place, lot: chance.happens(0.8) ? chance.number() : -1 } }
  if (dice < 0.72) return { kind: 'remove', what: { place } }
  if (dice < 0.75) return { kind: chance.oneOf(['reset', 'raiseEpoch']), what: { place } }
  if (dice < 0.82) return { kind: 'renewLeases', what: { holder } }
  if (dice < 0.83) return { kind: 'giveUpLeases', what: { holder } }
  if (dice < 0.86) return { kind: 'freeShard', what: { shard: chance.between(0, SHARDS.length - 1) } }
  if (dice < 0.87) return { kind: 'wipe', what: null }
  if (dice < 0.95)
    return { kind: 'reconcile', what: { holder, shards: shards(), held: chance.between(0, 4) } }
  return { kind: 'wait', what: { seconds: chance.oneOf([1, 3, 5, 12, 20, 45]) } }
}

/** Different ones: the product never has the same document twice in a statement. */
function some(chance: Chance, places: readonly Place[]): readonly Place[] {
  const chosen = Array.from({ length: chance.between(1, 4) }, () => chance.pick(places))
  return [...new Set(chosen)].filter((place) => place !== undefined)
}

function text(chance: Chance, place: Place): TextDraft {
  return { place, fingerprint: chance.oneOf(['one', 'two', 'three']), isLate: chance.happens(0.1) }
}

function verdictOn(chance: Chance, place: Place): Pick & { readonly verdict: Verdict } {
  const verdicts = ['processed', 'retry', 'retry', 'retry', 'failed'] as const
  return { ...pick(chance, place), verdict: chance.oneOf(verdicts) }
}

function pick(chance: Chance, place: Place): Pick {
  return {
    place,
    lot: chance.happens(0.85) ? chance.number() : -1,
    ticketsAgo: chance.happens(0.75) ? 0 : chance.between(1, 2),
    attemptsAgo: chance.happens(0.75) ? 0 : chance.between(-1, 2),
    isForeign: chance.happens(0.05),
  }
}

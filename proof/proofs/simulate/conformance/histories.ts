/** Short histories of operations on few documents, so that they meet: with tickets and attempts of now, of before, and of others. */
import type { Chance } from '../../../harness/chance.ts'
import { placeOf, SHARDS } from '../store.ts'
import type { Place, Verdict } from '../store.ts'

/** Tickets and epochs are chosen when the operation is run, from what there has been until then. */
export type Operation =
  | { readonly kind: 'accept'; readonly documents: readonly AcceptedText[] }
  | { readonly kind: 'claim'; readonly picks: readonly Pick[] }
  | { readonly kind: 'settle'; readonly picks: readonly (Pick & { readonly verdict: Verdict })[] }
  | { readonly kind: 'retry'; readonly place: Place; readonly lot: number }
  | { readonly kind: 'remove' | 'reset' | 'raiseEpoch'; readonly place: Place }
  | { readonly kind: 'renewLeases' | 'giveUpLeases'; readonly holder: Holder }
  | { readonly kind: 'freeShard'; readonly shard: number }
  | { readonly kind: 'release'; readonly holder: Holder; readonly shards: readonly number[] }
  | {
      readonly kind: 'reconcile'
      readonly holder: Holder
      readonly shards: readonly number[]
      readonly held: number
    }
  | { readonly kind: 'wipe' }
  | { readonly kind: 'wait'; readonly seconds: number }

export type Holder = 'one' | 'two'

export interface AcceptedText {
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

export const WINDOW = 4

export function makeHistory(chance: Chance, tenants: readonly string[]): readonly Operation[] {
  const places = tenants.flatMap((tenant) =>
    ['north', 'south'].flatMap((scope) => ['a', 'b'].map((document) => placeOf(tenant, scope, document))),
  )
  // Something to work with first, or much of a history would be refusals.
  const documents = places.map((place) => text(chance, place)).filter(() => chance.happens(0.7))
  const opening: readonly Operation[] = [
    { kind: 'accept', documents },
    { kind: 'renewLeases', holder: 'one' },
    { kind: 'release', holder: 'one', shards: SHARDS },
  ]
  const rest = Array.from({ length: chance.between(20, 40) }, () => makeOperation(chance, places))
  return [...opening, ...rest]
}

/** Weights: what moves a document forward is frequent, what ends its story is rare. */
function makeOperation(chance: Chance, places: readonly Place[]): Operation {
  const dice = chance.number()
  const place = chance.pick(places) ?? placeOf('', '', '')
  const holder: Holder = chance.oneOf(['one', 'two'])
  if (dice < 0.1) return { kind: 'accept', documents: some(chance, places).map((each) => text(chance, each)) }
  if (dice < 0.23) return { kind: 'release', holder, shards: someShards(chance) }
  if (dice < 0.47) return { kind: 'claim', picks: some(chance, places).map((each) => pick(chance, each)) }
  if (dice < 0.66)
    return {
      kind: 'settle',
      picks: some(chance, places).map((each) => ({
        ...pick(chance, each),
        verdict: chance.oneOf(['processed', 'retry', 'retry', 'retry', 'failed']),
      })),
    }
  if (dice < 0.7) return { kind: 'retry', place, lot: chance.happens(0.8) ? chance.number() : -1 }
  if (dice < 0.72) return { kind: 'remove', place }
  if (dice < 0.75) return { kind: chance.oneOf(['reset', 'raiseEpoch']), place }
  if (dice < 0.82) return { kind: 'renewLeases', holder }
  if (dice < 0.83) return { kind: 'giveUpLeases', holder }
  if (dice < 0.86) return { kind: 'freeShard', shard: chance.between(0, SHARDS.length - 1) }
  if (dice < 0.87) return { kind: 'wipe' }
  if (dice < 0.95)
    return { kind: 'reconcile', holder, shards: someShards(chance), held: chance.between(0, 4) }
  return { kind: 'wait', seconds: chance.oneOf([1, 3, 5, 12, 20, 45]) }
}

/** Different ones: the product never has the same document twice in a statement. */
function some(chance: Chance, places: readonly Place[]): readonly Place[] {
  const chosen = new Set<Place>()
  for (let left = chance.between(1, 4); left > 0; left -= 1) {
    const place = chance.pick(places)
    if (place) chosen.add(place)
  }
  return [...chosen]
}

function text(chance: Chance, place: Place): AcceptedText {
  return { place, fingerprint: chance.oneOf(['one', 'two', 'three']), isLate: chance.happens(0.1) }
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

function someShards(chance: Chance): readonly number[] {
  return chance.happens(0.7) ? SHARDS : SHARDS.filter(() => chance.happens(0.5))
}

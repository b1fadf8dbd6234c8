/** One history on both sides: every answer and, now and then and at the end, everything that is stored. */
import { isDeepStrictEqual } from 'node:util'
import type { Tables, WorkState } from '../rules.ts'
import type { HistoryOperation, Pick, TextDraft } from './histories.ts'
import type { ModelSide } from './model-side.ts'
import type { ConformanceSide } from './pair.ts'

const LOOK_EVERY = 12

/** The answers are counted, so that a run can show that it was not all refusals. */
export async function compare(
  history: readonly HistoryOperation[],
  model: ModelSide,
  product: ConformanceSide,
) {
  const answers = new Map<string, number>()
  const add = (name: string) => void answers.set(name, (answers.get(name) ?? 0) + 1)
  for (const [index, operation] of history.entries()) {
    const { kind } = operation
    const run = prepare(operation, model)
    if (isRefused(operation, model.tables())) add('release refused')
    // The model first: its tickets give the product's their names.
    const [ours, theirs] = [await run(model), await run(product)]
    wordsOf(kind, ours).forEach(add)
    if (!isDeepStrictEqual(ours, theirs))
      return { difference: { operation: index, kind, model: ours, product: theirs }, answers }
    if (index % LOOK_EVERY !== 0 && index !== history.length - 1) continue
    const [mine, stored] = [await model.picture(), await product.picture()]
    if (isDeepStrictEqual(mine, stored)) continue
    // Lines that both have are of no interest.
    const lines = { model: without(mine, stored), product: without(stored, mine) }
    return { difference: { operation: index, kind: `${kind}, stored`, ...lines }, answers }
  }
  return { difference: undefined, answers }
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  return lines.filter((line) => !others.includes(line))
}

/** The request that both sides get: chosen once, from what the model knows at this moment. */
function prepare(operation: HistoryOperation, model: ModelSide): (side: ConformanceSide) => Promise<unknown> {
  const { work, documents } = model.tables()
  switch (operation.kind) {
    case 'accept': {
      const texts = operation.what.map((text) => ({ ...text, epoch: epochFor(model, text) }))
      return (side) => side.accept(texts)
    }
    case 'claim': {
      const tries = chooseAll(model, operation.what, ['ready', 'processing'])
      return (side) => side.claim(tries)
    }
    case 'settle': {
      const results = chooseAll(model, operation.what, ['processing']).map((each) => ({
        ...each,
        attempt: (work.get(each.place.key)?.attempt ?? 1) - each.attemptsAgo,
      }))
      return (side) => side.settle(results)
    }
    case 'retry': {
      const failed = [...documents.values()].filter(({ status }) => status === 'failed' || status === 'held')
      const place = draw(failed, operation.what.lot)?.place ?? operation.what.place
      return (side) => side.retry({ place })
    }
    case 'releaseHeld': {
      const held = [...documents.values()].filter(({ status }) => status === 'held')
      const place = draw(held, operation.what.lot)?.place ?? operation.what.place
      return (side) => side.releaseHeld({ place })
    }
    default:
      // The compiler does not see that kind and request belong together.
      return (side) => (side[operation.kind] as (request: unknown) => Promise<unknown>)(operation.what)
  }
}

/** The epoch of now, or of before the last reset. */
function epochFor(model: ModelSide, { place, isLate }: TextDraft): number {
  const epoch = model.tables().scopes.get(place.scopeKey)?.epoch ?? 0
  return isLate ? Math.max(0, epoch - 1) : epoch
}

/** Each document once, with a ticket that it has or had; one that never had any gets one that nobody has. */
function chooseAll<Chosen extends Pick>(
  model: ModelSide,
  picks: readonly Chosen[],
  states: readonly WorkState[],
) {
  const out = [...model.tables().work.values()].filter(({ state }) => states.includes(state))
  const chosen = picks.map((pick) => {
    const place = draw(out, pick.lot)?.place ?? pick.place
    const ticket = model.ticketsOf(place.key).at(-1 - pick.ticketsAgo) ?? 0
    return { ...pick, place, ticket: pick.isForeign ? ticket + 1 : ticket }
  })
  return [...new Map(chosen.map((each) => [each.place.key, each])).values()]
}

function draw<Value>(values: readonly Value[], lot: number): Value | undefined {
  return lot < 0 ? undefined : values[Math.floor(lot * values.length)]
}

/** WorkRow waits in a shard that somebody believes to have, and another has it. */
function isRefused({ kind, what }: HistoryOperation, { work, leases }: Tables): boolean {
  if (kind !== 'release') return false
  const lost = new Set(what.shards.filter((shard) => leases[shard]?.holder !== what.holder))
  return [...work.values()].some(({ state, shard }) => state === 'queued' && lost.has(shard))
}

function wordsOf(kind: string, answer: unknown): string[] {
  const words = [answer].flat().filter((each) => typeof each === 'string')
  if (kind === 'reconcile') return words.map((word) => (word === '0 recalled' ? 'none recalled' : 'recalled'))
  return words.map((word) => `${kind} ${kind === 'release' ? 'released' : word.split(' ')[0]}`)
}

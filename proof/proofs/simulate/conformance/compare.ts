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
    if (isRefused(operation, model.tables())) add('dispatch refused')
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
    case 'start': {
      const tries = chooseAll(model, operation.what, ['ready', 'processing'])
      return (side) => side.start(tries)
    }
    case 'complete': {
      const results = chooseAll(model, operation.what, ['processing']).map((each) => ({
        ...each,
        attempt: (work.get(each.ref.key)?.attempt ?? 1) - each.attemptsAgo,
      }))
      return (side) => side.complete(results)
    }
    case 'retry': {
      const failed = [...documents.values()].filter(({ status }) => status === 'failed' || status === 'held')
      const ref = draw(failed, operation.what.lot)?.ref ?? operation.what.ref
      return (side) => side.retry({ ref })
    }
    case 'releaseHeld': {
      const held = [...documents.values()].filter(({ status }) => status === 'held')
      const ref = draw(held, operation.what.lot)?.ref ?? operation.what.ref
      return (side) => side.releaseHeld({ ref })
    }
    default:
      // The compiler does not see that kind and request belong together.
      return (side) => (side[operation.kind] as (request: unknown) => Promise<unknown>)(operation.what)
  }
}

/** The epoch of now, or of before the last reset. */
function epochFor(model: ModelSide, { ref, isLate }: TextDraft): number {
  const epoch = model.tables().scopes.get(ref.scopeKey)?.epoch ?? 0
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
    const ref = draw(out, pick.lot)?.ref ?? pick.ref
    const ticket = model.ticketsOf(ref.key).at(-1 - pick.ticketsAgo) ?? 0
    return { ...pick, ref, ticket: pick.isForeign ? ticket + 1 : ticket }
  })
  return [...new Map(chosen.map((each) => [each.ref.key, each])).values()]
}

function draw<Value>(values: readonly Value[], lot: number): Value | undefined {
  return lot < 0 ? undefined : values[Math.floor(lot * values.length)]
}

/** WorkRow waits in a shard that somebody believes to have, and another has it. */
function isRefused({ kind, what }: HistoryOperation, { work, leases }: Tables): boolean {
  if (kind !== 'dispatch') return false
  const lost = new Set(what.shards.filter((shard) => leases[shard]?.holder !== what.holder))
  return [...work.values()].some(({ state, shard }) => state === 'queued' && lost.has(shard))
}

function wordsOf(kind: string, answer: unknown): string[] {
  const words = [answer].flat().filter((each) => typeof each === 'string')
  if (kind === 'reconcile') return words.map((word) => (word === '0 recalled' ? 'none recalled' : 'recalled'))
  return words.map((word) => `${kind} ${kind === 'dispatch' ? 'dispatched' : word.split(' ')[0]}`)
}

/** One history on both sides: every answer and, now and then and at the end, everything that is stored. */
import { isDeepStrictEqual } from 'node:util'
import type { Store, WorkState } from '../store.ts'
import type { AcceptedText, Operation, Pick } from './histories.ts'
import type { ModelSide } from './model-side.ts'
import type { Side } from './pair.ts'

export interface Difference {
  readonly operation: number
  readonly kind: string
  readonly model: unknown
  readonly product: unknown
}

export interface Comparison {
  readonly difference: Difference | undefined
  /** How often each answer was given, so that a run can show it was not all refusals. */
  readonly answers: ReadonlyMap<string, number>
}

const LOOK_EVERY = 12

export async function compare(
  history: readonly Operation[],
  model: ModelSide,
  product: Side,
): Promise<Comparison> {
  const answers = new Map<string, number>()
  for (const [index, operation] of history.entries()) {
    const run = prepare(operation, model)
    if (isRefused(operation, model.store())) add(answers, 'release refused')
    // The model first: its tickets give the product's their names.
    const [ours, theirs] = [await run(model), await run(product)]
    count(answers, operation.kind, ours)
    const difference = differ(index, operation.kind, ours, theirs)
    if (difference) return { difference, answers }
    if (index % LOOK_EVERY !== 0 && index !== history.length - 1) continue
    const stored = differ(index, `${operation.kind}, stored`, await model.picture(), await product.picture())
    if (stored) return { difference: onlyDifferent(stored), answers }
  }
  return { difference: undefined, answers }
}

function differ(operation: number, kind: string, model: unknown, product: unknown): Difference | undefined {
  return isDeepStrictEqual(model, product) ? undefined : { operation, kind, model, product }
}

/** Lines that both have are of no interest. */
function onlyDifferent(difference: Difference): Difference {
  const [model, product] = [difference.model as readonly string[], difference.product as readonly string[]]
  return { ...difference, model: linesWithout(model, product), product: linesWithout(product, model) }
}

function linesWithout(lines: readonly string[], others: readonly string[]): readonly string[] {
  return lines.filter((line) => !others.includes(line))
}

/** What both sides are asked: chosen once, from what the model knows at this moment. */
function prepare(operation: Operation, model: ModelSide): (side: Side) => Promise<unknown> {
  switch (operation.kind) {
    case 'accept': {
      const texts = operation.documents.map((text) => ({ ...text, epoch: epochFor(model, text) }))
      return (side) => side.accept(texts)
    }
    case 'claim': {
      const tries = chooseAll(model, operation.picks, ['ready', 'processing'])
      return (side) => side.claim(tries)
    }
    case 'settle': {
      const results = chooseAll(model, operation.picks, ['processing']).map((each) => ({
        ...each,
        attempt: (model.store().work.get(each.place.key)?.attempt ?? 1) - each.attemptsAgo,
      }))
      return (side) => side.settle(results)
    }
    case 'retry': {
      const failed = [...model.store().papers.values()].filter(({ status }) => status === 'failed')
      const place = draw(failed, operation.lot)?.place ?? operation.place
      return (side) => side.retry(place)
    }
    default:
      return (side) => runAsWritten(operation, side)
  }
}

/** Of now, or of before the last reset. */
function epochFor(model: ModelSide, { place, isLate }: AcceptedText): number {
  const epoch = model.store().scopes.get(place.scopeKey)?.epoch ?? 0
  return isLate ? Math.max(0, epoch - 1) : epoch
}

type AsWritten = Exclude<Operation, { readonly kind: 'accept' | 'claim' | 'settle' | 'retry' }>

/** Nothing in these depends on what happened before. */
async function runAsWritten(operation: AsWritten, side: Side): Promise<unknown> {
  switch (operation.kind) {
    case 'remove':
    case 'reset':
    case 'raiseEpoch':
      return side[operation.kind](operation.place)
    case 'renewLeases':
    case 'giveUpLeases':
      return side[operation.kind](operation.holder)
    case 'freeShard':
      return side.freeShard(operation.shard)
    case 'release':
      return side.release(operation.holder, operation.shards)
    case 'reconcile':
      return side.reconcile(operation.holder, operation.shards, operation.held)
    case 'wipe':
      return side.wipe()
    case 'wait':
      return side.wait(operation.seconds)
  }
}

/** Each document once, with a ticket that it has or had; one that never had any gets one that nobody has. */
function chooseAll<Chosen extends Pick>(
  model: ModelSide,
  picks: readonly Chosen[],
  states: readonly WorkState[],
) {
  const out = [...model.store().work.values()].filter(({ state }) => states.includes(state))
  const chosen = new Map<string, Chosen & { readonly ticket: number }>()
  for (const pick of picks) {
    const place = draw(out, pick.lot)?.place ?? pick.place
    const ticket = model.ticketsOf(place.key).at(-1 - pick.ticketsAgo) ?? 0
    chosen.set(place.key, { ...pick, place, ticket: pick.isForeign ? ticket + 1 : ticket })
  }
  return [...chosen.values()]
}

function draw<Value>(values: readonly Value[], lot: number): Value | undefined {
  return lot < 0 ? undefined : values[Math.floor(lot * values.length)]
}

/** Work waits in a shard that somebody believes to have, and another has it. */
function isRefused(operation: Operation, { work, leases }: Store): boolean {
  if (operation.kind !== 'release') return false
  const lost = new Set(operation.shards.filter((shard) => leases[shard]?.holder !== operation.holder))
  return [...work.values()].some(({ state, shard }) => state === 'queued' && lost.has(shard))
}

function add(answers: Map<string, number>, name: string): void {
  answers.set(name, (answers.get(name) ?? 0) + 1)
}

function count(answers: Map<string, number>, kind: string, answer: unknown): void {
  const each = Array.isArray(answer) ? answer : [answer]
  for (const one of each) {
    if (typeof one !== 'string') continue
    const word = kind === 'release' ? 'released' : (one.split(' ')[0] ?? one)
    const name =
      kind === 'reconcile' ? (one === '0 recalled' ? 'none recalled' : 'recalled') : `${kind} ${word}`
    add(answers, name)
  }
}

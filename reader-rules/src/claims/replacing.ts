/**
 * Values said to stand in place of others: "A, not B", "A instead of B", "from B to A", "A (previously B)", "B has to be
 * replaced by A"; and words that say so without the old value.
 */
import type { Claim, Value } from '@concord/reading/src/claim.ts'
import { runAt } from './phrases.ts'
import type { Sentence } from './sentence.ts'
import { lowAt } from './token.ts'
import type { Token } from './token.ts'

type Replaces = NonNullable<Claim['replaces']>

export interface Replacing {
  readonly of: ReadonlyMap<number, Replaces>
  /** Values that are no claim of their own: the old ones. */
  readonly old: ReadonlySet<number>
}

const nothing: Replacing = { of: new Map(), old: new Set() }

const correcting = new Set(
  'corrected correctly correct correction erratum restated revised wrong wrongly error erroneous erroneously misprint mistake mistaken mistakenly'.split(
    ' ',
  ),
)
const changing = new Set(
  'now raised raise lowered extended shortened reduced increased rises rise succeeding succeeded replaces replacing amended postponed prolonged fallen fell risen rose grown grew dropped'.split(
    ' ',
  ),
)

/** Which values of a sentence stand for which others. */
export function replacingIn(sentence: Sentence): Replacing {
  const { tokens, values } = sentence
  if (values.length === 0) return nothing
  const of = new Map<number, Replaces>()
  const old = new Set<number>()
  const corrects = tokens.some((token) => correcting.has(token.low)) || readsInstead(tokens)
  for (let later = 1; later < values.length; later += 1) {
    const pair = pairOf(sentence, beforeDate(sentence, later), later, corrects) ?? bracketed(sentence, later)
    if (pair === null || old.has(pair.fresh)) continue
    if (!pair.stands) old.add(pair.stale)
    of.set(pair.fresh, { value: oldValue(sentence, pair), by: pair.by })
  }
  if (of.size === 0) plainWords(sentence, of, corrects)
  return { of, old }
}

/** "128%, a reduction from the Q4 2025 ratio of 142%": the date between is of the second figure. */
function beforeDate({ values }: Sentence, later: number): number {
  const isBetween = later > 1 && values[later - 1]?.kind === 'date' && values[later]?.kind !== 'date'
  return isBetween && values[later - 2]?.kind === values[later]?.kind ? later - 2 : later - 1
}

/** "from 142% (Q4) to 128% (Q1)", "from 3/54 (5.6%) to 6/54 (11.1%)": what stands in brackets is passed over, or moves along. */
function bracketed(sentence: Sentence, later: number): Pair | null {
  const { tokens, values } = sentence
  const [at, inside] = openedAt(sentence, later)
  const stale = at === -1 ? -1 : movedFrom(sentence, at)
  const fresh = inside ? later - 1 : later
  if (stale === -1 || !isNumber(sentence, stale) || !isNumber(sentence, fresh)) return null
  if (!moves(tokens, runAt(sentence.runs, stale)[0])) return null
  const [x, y] = inside ? [stale + 1, later] : [stale, later]
  return values[x]?.kind === values[y]?.kind ? { fresh: y, stale: x, by: 'change', stands: true } : null
}

/** Where "to" stands before a value, or before the one in whose brackets it is. */
function openedAt({ tokens, runs }: Sentence, later: number): readonly [to: number, inside: boolean] {
  const [from] = runAt(runs, later)
  if (lowAt(tokens, from - 1) === 'to') return [from - 1, false]
  const before = later > 0 ? runAt(runs, later - 1) : undefined
  const inside = before !== undefined && before[1] === from - 1 && lowAt(tokens, from - 1) === '('
  return inside && lowAt(tokens, before[0] - 1) === 'to' ? [before[0] - 1, true] : [-1, false]
}

/** The value behind "from" whose brackets end right before "to". */
function movedFrom({ tokens, runs }: Sentence, to: number): number {
  if (lowAt(tokens, to - 1) !== ')') return -1
  let open = to - 2
  while (open > Math.max(0, to - 8) && lowAt(tokens, open) !== '(') open -= 1
  return runs.findIndex(([from, end]) => end === open && lowAt(tokens, from - 1) === 'from')
}

function isNumber({ values }: Sentence, index: number): boolean {
  return values[index]?.value.type === 'number'
}

/** "28 days instead of 26": a bare old number is in the unit of the new one. */
function oldValue({ text, values }: Sentence, { fresh, stale }: Pair): Value | null {
  const [newer, older] = [values[fresh], values[stale]]
  if (newer === undefined || older === undefined) return null
  const [now, then] = [newer.value, older.value]
  if (older.kind !== 'count' || newer.kind === 'count' || now.type !== 'number' || then.type !== 'number')
    return then
  const printed = Number.parseFloat(text.slice(newer.span[0], newer.span[1]).replaceAll(/[^\d.]/g, ''))
  if (!(printed > 0) || now.low === null || then.low === null || now.low !== now.high) return then
  const scale = now.low / printed
  return { ...now, low: then.low * scale, high: then.low * scale }
}

function readsInstead(tokens: readonly Token[]): boolean {
  return tokens.some((token, at) => token.low === 'read' && tokens[at - 1]?.low === 'should')
}

interface Pair {
  readonly fresh: number
  readonly stale: number
  readonly by: Replaces['by']
  /** The old value was right in its time, and is claimed as well. */
  readonly stands?: boolean
}

/** How far apart two values may stand and still be one instead of the other. */
const farthest = 12

function pairOf(sentence: Sentence, first: number, second: number, corrects: boolean): Pair | null {
  const { values, runs, tokens } = sentence
  if (values[first]?.kind !== values[second]?.kind && !sameType(sentence, first, second)) return null
  const [left, right] = [runAt(runs, first), runAt(runs, second)]
  const between = tokens.slice(left[1], right[0]).map((token) => token.low)
  const by = corrects ? 'correction' : 'change'
  if (
    between.length === 1 &&
    between[0] === 'to' &&
    lowAt(tokens, left[0] - 1) === 'from' &&
    moves(tokens, left[0])
  ) {
    return { fresh: second, stale: first, by }
  }
  return between.length === 0 || between.length > farthest ? null : contrasted(between, first, second, by)
}

const earlier = ['previously', 'formerly', 'originally', 'before', 'instead', 'rather']

/** "A, not B", "A instead of B", "A (previously B)", "B has to be replaced by A". */
function contrasted(
  between: readonly string[],
  first: number,
  second: number,
  by: Replaces['by'],
): Pair | null {
  if (between.slice(-4).includes('not') && !between.includes('or') && !deniesVerb(between))
    return { fresh: first, stale: second, by: 'correction' }
  if (earlier.some((word) => between.includes(word))) return { fresh: first, stale: second, by }
  if (between.includes('replaced') || between.includes('corrected'))
    return { fresh: second, stale: first, by: 'correction' }
  return comesFrom(between) ? { fresh: first, stale: second, by, stands: true } : null
}

const auxiliaries = new Set(
  'is are was were be been do does did has have had will would can could shall should may might must'.split(
    ' ',
  ),
)
const determiners = new Set('the a an as only just'.split(' '))

/** "One bound is not reached on two cores": the verb is denied, not the second number. */
function deniesVerb(between: readonly string[]): boolean {
  const at = between.lastIndexOf('not')
  const next = between[at + 1]
  return auxiliaries.has(between[at - 1] ?? '') && next !== undefined && !determiners.has(next)
}

const movements = new Set(
  'reduction decrease increase rise fall drop decline improvement deterioration recovery down up'.split(' '),
)

/** "128%, a reduction from the Q4 ratio of 142%", "128%, down from 142%". */
function comesFrom(between: readonly string[]): boolean {
  const from = between.indexOf('from')
  return from > 0 && movements.has(between[from - 1] ?? '')
}

function sameType({ values }: Sentence, first: number, second: number): boolean {
  const [a, b] = [values[first], values[second]]
  return (
    a !== undefined &&
    b !== undefined &&
    a.value.type === 'number' &&
    b.value.type === 'number' &&
    (b.value.unit === '' || b.kind === 'count')
  )
}

const moving = new Set(
  'raise rise grow fall increase decrease reduce lower change move shorten extend amend correct drop decline go cut'.split(
    ' ',
  ),
)

function moves(tokens: readonly Token[], at: number): boolean {
  return tokens.slice(Math.max(0, at - 8), at).some((token) => moving.has(token.word))
}

/** A correction or a change that does not name the old value. */
function plainWords(sentence: Sentence, of: Map<number, Replaces>, corrects: boolean): void {
  const { tokens, values, runs } = sentence
  const changes = tokens.some((token) => changing.has(token.low))
  if (effectiveFrom(sentence)) {
    const index = values.findIndex((found) => found.kind !== 'date')
    if (index !== -1) of.set(index, { value: null, by: 'change' })
    return
  }
  if (!corrects && !changes) return
  if (isWithdrawn(tokens)) return
  values.forEach((found, index) => {
    if (found.kind === 'date' && values.some((each) => each.kind !== 'date')) return
    const from = runAt(runs, index)[0]
    const near = tokens.slice(Math.max(0, from - 14), from)
    if (corrects && near.some((token) => correcting.has(token.low)))
      of.set(index, { value: null, by: 'correction' })
    else if (changes && near.some((token) => changing.has(token.low)))
      of.set(index, { value: null, by: 'change' })
  })
}

/** "The rent is 204,000 from 1 July 2024": it begins then, so it was another before. */
function effectiveFrom({ tokens, values, runs }: Sentence): boolean {
  return values.some((found, index) => {
    if (found.value.type !== 'date' || found.value.days[0] !== found.value.days[1]) return false
    const at = runs[index]?.[0] ?? 0
    return (
      lowAt(tokens, at - 1) === 'from' &&
      lowAt(tokens, runs[index]?.[1] ?? 0) !== 'to' &&
      tokens.some((token) => token.low === 'is' || token.low === 'are' || token.low === 'be')
    )
  })
}

/** "The figure of 4.1 per cent is wrong": the value is withdrawn, not stated. */
export function isWithdrawn(tokens: readonly Token[]): boolean {
  return tokens.some(
    (token, at) =>
      (token.low === 'wrong' || token.low === 'incorrect' || token.low === 'erroneous') &&
      !tokens.slice(at).some((each) => each.low === 'correct'),
  )
}

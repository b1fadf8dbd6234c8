/** Words around a number that bound or loosen it: `at least`, `no later than`, `nearly`, `or more`. */
import type { NumberValue } from '../claim.ts'
import type { ValueLine } from './line.ts'

export interface Modifier {
  readonly bound: NumberValue['bound']
  readonly about: boolean
  /** Its tokens. */
  readonly first: number
  readonly next: number
}

type Effect = Omit<Modifier, 'first' | 'next'>

const about: Effect = { bound: null, about: true }
const min: Effect = { bound: 'min', about: false }
const max: Effect = { bound: 'max', about: false }
const over: Effect = { bound: 'over', about: false }
const under: Effect = { bound: 'under', about: false }

/** By first word; longer phrases first, as the rest of a longer one may be one itself. */
const phrases = new Map<string, (readonly [rest: readonly string[], effect: Effect])[]>()

function add(effect: Effect, list: string): void {
  for (const phrase of list.split(',')) {
    const [first = '', ...rest] = phrase.trim().split(/\s+/)
    const known = phrases.get(first) ?? []
    known.push([rest, effect])
    known.sort(([a], [b]) => b.length - a.length)
    phrases.set(first, known)
  }
}

add(
  about,
  'about, approximately, approx, around, some, nearly, almost, roughly, circa, ca, c, estimated, close to',
)
add(
  about,
  'just over, just under, just above, just below, just more than, just less than, well over, in the region of',
)
add(
  about,
  'slightly less than, slightly more than, slightly over, slightly under, slightly above, slightly below',
)
add(
  about,
  'marginally over, marginally under, marginally above, marginally below, a little over, a little under',
)
add(
  min,
  'at least, not less than, no less than, no fewer than, not fewer than, minimum, minimum of, a minimum of, min',
)
add(min, 'not below, not under, not lower than, no lower than, as many as, as much as')
add(
  max,
  'at most, up to, no more than, not more than, no later than, not later than, maximum, maximum of, a maximum of',
)
add(
  max,
  'max, not above, not over, not exceed, not exceeding, not to exceed, no greater than, not greater than',
)
add(max, 'no higher than, not higher than, not longer than, no longer than')
add(
  over,
  'more than, over, above, exceeding, exceed, exceeds, exceeded, in excess of, greater than, higher than',
)
add(over, 'upwards of, beyond, older than, longer than, well above')
add(
  under,
  'less than, fewer than, under, below, lower than, smaller than, younger than, shorter than, well below',
)

const signs: ReadonlyMap<string, Effect> = new Map([
  ['~', about],
  ['≈', about],
  ['≥', min],
  ['⩾', min],
  ['≤', max],
  ['⩽', max],
  ['>', over],
  ['<', under],
])

const dotted = new Set(['approx', 'ca', 'c', 'min', 'max'])

export function modifierAt(line: ValueLine, at: number): Modifier | null {
  const token = line.tokens[at]
  if (token === undefined) return null
  if (token.type === 'sign') return signAt(line, at)
  const first = token.meaning?.modifier === true ? token.meaning.text : ''
  const phrase = phrases
    .get(first)
    ?.find(([rest]) => rest.every((word, index) => line.word(at + 1 + index) === word))
  if (phrase === undefined) return null
  const next = at + 1 + phrase[0].length
  if (isNoBound(line, at, first, next)) return null
  return { ...phrase[1], first: at, next: line.sign(next) === '.' && dotted.has(first) ? next + 1 : next }
}

const reaching = new Set('add adds added adding sum sums went comes came'.split(' '))
const lasting = new Set('for lasted lasts takes took is was of by just well'.split(' '))

/** `add up to`, `turned over some EUR 5m`, `spread over two years` say how much, not at most or more. */
function isNoBound(line: ValueLine, at: number, first: string, next: number): boolean {
  if (first === 'up') return reaching.has(line.word(at - 1))
  if (first === 'c') return line.sign(next) !== '.'
  if (first !== 'over' && first !== 'under') return false
  return line.word(next) === 'some' || (isDuration(line, next) && !lasting.has(line.word(at - 1)))
}

function isDuration(line: ValueLine, at: number): boolean {
  const number = line.tokens[at]
  if (number?.type !== 'number' && number?.meaning?.small === undefined) return false
  const working = line.word(at + 1) === 'working' || line.word(at + 1) === 'business'
  return line.tokens[working ? at + 2 : at + 1]?.meaning?.unit?.kind === 'duration'
}

function signAt(line: ValueLine, at: number): Modifier | null {
  const effect = signs.get(line.sign(at))
  if (effect === undefined) return null
  if (line.sign(at + 1) === '=' && line.isGlued(at + 1)) {
    const or = effect === over ? min : effect === under ? max : effect
    return { ...or, first: at, next: at + 2 }
  }
  return { ...effect, first: at, next: at + 1 }
}

/** One modifier on top of another: `not more than about 5`. */
export function joined(a: Modifier, b: Modifier): Modifier {
  return { bound: b.bound ?? a.bound, about: a.about || b.about, first: a.first, next: b.next }
}

const upward = new Set('more above over older higher greater longer better upwards'.split(' '))
const downward = new Set('less fewer below under lower younger shorter'.split(' '))

/** The modifier behind the number: `or more`, `and over`, `at most`, `65+`, `maximum`. */
export function modifierAfter(line: ValueLine, at: number): Modifier | null {
  const effect = effectAfter(line, at)
  if (effect === null) return null
  const alone = line.sign(at) === '+' || line.word(at) === 'maximum' || line.word(at) === 'minimum'
  return { ...effect, first: at, next: alone ? at + 1 : at + 2 }
}

function effectAfter(line: ValueLine, at: number): Effect | null {
  if (line.sign(at) === '+') return line.isGlued(at) && !line.isGlued(at + 1) ? min : null
  const second = line.word(at + 1)
  switch (line.word(at)) {
    case 'or':
    case 'and':
      return comparedAfter(line, at, second)
    case 'at':
      if (line.plain(at + 2) !== null) return null
      return second === 'least' ? min : second === 'most' ? max : null
    case 'maximum':
      return second === 'of' ? null : max
    case 'minimum':
      return second === 'of' ? null : min
    default:
      return null
  }
}

function comparedAfter(line: ValueLine, at: number, second: string): Effect | null {
  const or = line.word(at) === 'or'
  // `and over 20 others`, `or more than ten` begin something new.
  if (line.word(at + 2) === 'than' || (!or && line.plain(at + 2) !== null)) return null
  if (upward.has(second)) return min
  return or && downward.has(second) ? max : null
}

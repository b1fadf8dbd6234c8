/** Words around a number that bound or loosen it: `at least`, `no later than`, `nearly`, `or more`. */
import type { NumberValue } from '../../domain/claim.ts'
import type { Line } from './line.ts'

export interface Modifier {
  readonly bound: NumberValue['bound']
  readonly about: boolean
  /** `between`: the number behind `and` is the other end. */
  readonly between?: true
  readonly next: number
}

type Effect = Omit<Modifier, 'next'>

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

export function modifierAt(line: Line, at: number): Modifier | null {
  const token = line.tokens[at]
  if (token === undefined) return null
  if (token.type === 'sign') return signAt(line, at)
  const list = token.meaning?.modifier === true ? phrases.get(token.meaning.text) : undefined
  for (const [rest, effect] of list ?? []) {
    if (!rest.every((word, index) => line.word(at + 1 + index) === word)) continue
    const next = at + 1 + rest.length
    if (token.meaning?.text === 'c' && line.sign(next) !== '.') return null
    return {
      ...effect,
      next: line.sign(next) === '.' && dotted.has(token.meaning?.text ?? '') ? next + 1 : next,
    }
  }
  return null
}

function signAt(line: Line, at: number): Modifier | null {
  const effect = signs.get(line.sign(at))
  if (effect === undefined) return null
  if (line.sign(at + 1) === '=' && line.isGlued(at + 1)) {
    const or = effect === over ? min : effect === under ? max : effect
    return { ...or, next: at + 2 }
  }
  return { ...effect, next: at + 1 }
}

/** One modifier on top of another: `not more than about 5`. */
export function joined(a: Modifier, b: Modifier): Modifier {
  return { bound: b.bound ?? a.bound, about: a.about || b.about, next: b.next }
}

const upward = new Set('more above over older higher greater longer better upwards'.split(' '))
const downward = new Set('less fewer below under lower younger shorter'.split(' '))

/** What stands behind the number: `or more`, `and over`, `at most`, `65+`, `maximum`. */
export function modifierAfter(line: Line, at: number): Modifier | null {
  const first = line.word(at)
  if (line.sign(at) === '+' && line.isGlued(at) && !line.isGlued(at + 1)) return { ...min, next: at + 1 }
  if (first === 'or' || first === 'and') {
    const second = line.word(at + 1)
    // `and over 20 others` begins something new.
    if (first === 'and' && line.plain(at + 2) !== null) return null
    if (upward.has(second) && line.word(at + 2) !== 'than') return { ...min, next: at + 2 }
    if (first === 'or' && downward.has(second) && line.word(at + 2) !== 'than')
      return { ...max, next: at + 2 }
    return null
  }
  if (first === 'at' && line.word(at + 1) === 'least' && line.plain(at + 2) === null)
    return { ...min, next: at + 2 }
  if (first === 'at' && line.word(at + 1) === 'most' && line.plain(at + 2) === null)
    return { ...max, next: at + 2 }
  if (first === 'maximum' && line.word(at + 1) !== 'of') return { ...max, next: at + 1 }
  if (first === 'minimum' && line.word(at + 1) !== 'of') return { ...min, next: at + 1 }
  return null
}

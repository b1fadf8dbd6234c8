/** From single amounts to what was said: ranges, fractions of a whole, durations in parts, bounds. */
import type { ClaimKind, NumberValue } from '../../domain/claim.ts'
import { amountAt, clean, sentenceCurrency, type Amount } from './amounts.ts'
import { calendarDateAt, calendarYear } from './dates.ts'
import type { Line } from './line.ts'
import { modifierAfter, type Modifier } from './modifiers.ts'

export interface FoundNumber {
  readonly kind: ClaimKind
  readonly value: NumberValue
  readonly span: readonly [start: number, end: number]
  readonly next: number
}

/** What the words before the amount say of it. */
export interface Lead {
  readonly modifier: Modifier | null
  /** `between`, `ranging from` */
  readonly between: boolean
  /** `from A to B`, `by A to B`: a change, not a range. */
  readonly change: boolean
  /** `every two years` */
  readonly every: boolean
}

/** The amounts that begin here, joined where they belong together. More than one where `20 and 40 mg` shares a unit. */
export function numbersAt(line: Line, first: Amount, lead: Lead): FoundNumber[] {
  const ratio = ratioAt(line, first)
  if (ratio !== null) return [ratio]
  const whole = withParts(line, first)
  const second = secondAt(line, whole, lead)
  if (second === null) return [finished(line, withContext(line, whole), null, lead)]
  const low = withContext(line, likened(whole, second.amount))
  const high = withContext(line, likened(withParts(line, second.amount), whole))
  if (second.range && low.unit === high.unit && low.value < high.value)
    return [finished(line, low, high, lead)]
  return [finished(line, low, null, lead)]
}

/** `3 hours and 20 minutes`, `2 years 6 months` */
function withParts(line: Line, amount: Amount): Amount {
  if (amount.kind !== 'duration' || amount.unit !== 's') return amount
  let whole = amount
  for (let tries = 0; tries < 3; tries += 1) {
    const joint = line.word(whole.next) === 'and' ? 1 : 0
    const part = amountAt(line, whole.next + joint)
    if (part === null || part.unit !== 's' || part.factor >= whole.factor || part.value >= whole.factor) break
    if (part.first !== whole.next + joint) break
    whole = {
      ...whole,
      value: whole.value + part.value,
      step: part.step,
      factor: part.factor,
      end: part.end,
      next: part.next,
    }
  }
  return whole
}

interface Second {
  readonly amount: Amount
  readonly range: boolean
}

function secondAt(line: Line, amount: Amount, lead: Lead): Second | null {
  const joint = jointAt(line, amount, lead)
  if (joint === null) return null
  const second = amountAt(line, joint.next)
  if (second === null || calendarDateAt(line, joint.next) !== null || !fits(amount, second)) return null
  if (joint.kind === 'list' && (!amount.bare || second.bare || amount.numeral.share)) return null
  if (joint.kind === 'list' && calendarYear(line, amount.first) !== null) return null
  if (joint.kind === 'hyphen' && second.bare && !isShortRange(amount, second)) return null
  const near =
    joint.kind === 'list' &&
    line.word(amount.next) === 'or' &&
    second.numeral.value - amount.numeral.value === 1
  return { amount: second, range: joint.kind !== 'list' || near }
}

/** A hyphen between two bare numbers is a range only where it cannot be a telephone or an order number. */
function isShortRange(a: Amount, b: Amount): boolean {
  return a.value < b.value && a.numeral.digits <= 3 && b.numeral.digits <= 3
}

/** Same unit, or one of them has none yet. */
function fits(a: Amount, b: Amount): boolean {
  if (a.bare) return true
  if (b.bare) return a.kind === 'money' && !b.numeral.share
  return a.kind === b.kind && a.unit === b.unit
}

interface Joint {
  readonly next: number
  readonly kind: 'range' | 'hyphen' | 'list'
}

function jointAt(line: Line, amount: Amount, lead: Lead): Joint | null {
  const { next } = amount
  const sign = line.sign(next)
  const word = line.word(next)
  if (word === 'to') return { next: next + 1, kind: lead.change ? 'list' : 'range' }
  if (word === 'and') return { next: next + 1, kind: lead.between ? 'range' : 'list' }
  if (word === 'or') return { next: next + 1, kind: 'list' }
  if (sign === '–' || sign === '—') return isDash(line, next) ? { next: next + 1, kind: 'range' } : null
  if (sign === '-' && line.isGlued(next) && line.isGlued(next + 1)) return { next: next + 1, kind: 'hyphen' }
  return null
}

/** A dash with spaces around it may part two clauses; between two amounts of one kind it does not. */
function isDash(line: Line, at: number): boolean {
  return line.isGlued(at) === line.isGlued(at + 1)
}

/** A bare amount takes over scale and unit of its neighbour. */
function likened(amount: Amount, other: Amount): Amount {
  if (!amount.bare || other.bare) {
    const smaller = amount.numeral.value < other.numeral.value
    const takesScale = other.bare && other.scaled && !amount.scaled && smaller && amount.factor === 1
    return takesScale ? scaled(amount, other.scale, 1) : amount
  }
  const scale = amount.scaled ? 1 : other.scale
  const taken = scaled(amount, scale, other.factor)
  return { ...taken, kind: other.kind, unit: other.unit, bare: false }
}

function scaled(amount: Amount, scale: number, factor: number): Amount {
  const by = scale * factor
  return {
    ...amount,
    value: clean(amount.value * by),
    step: clean(amount.step * by),
    scaled: amount.scaled || scale !== 1,
    scale: amount.scale * scale,
    factor,
  }
}

/** A bare number in a table is what its column says; a bare `33.1m` in a sentence about money is money. */
function withContext(line: Line, amount: Amount): Amount {
  if (!amount.bare) return hintedScale(line, amount)
  const { currency, scale = 1, unit } = line.hints
  if (currency !== undefined)
    return { ...scaled(amount, amount.scaled ? 1 : scale, 1), kind: 'money', unit: currency, bare: false }
  if (unit === '%') return { ...amount, kind: 'percent', unit: '%', bare: false }
  if (unit !== undefined) return { ...scaled(amount, amount.scaled ? 1 : scale, 1), unit }
  if (scale !== 1 && !amount.scaled) return scaled(amount, scale, 1)
  const money = amount.scaled && !isCounting(line, amount.next) ? sentenceCurrency(line) : null
  return money === null ? amount : { ...amount, kind: 'money', unit: money, bare: false }
}

/** `€ 41.8` in a column of millions. */
function hintedScale(line: Line, amount: Amount): Amount {
  const { scale } = line.hints
  const applies = scale !== undefined && amount.kind === 'money' && !amount.scaled && amount.value < 1e6
  return applies ? scaled(amount, scale, 1) : amount
}

/** A word of content behind the number: something is counted. */
function isCounting(line: Line, at: number): boolean {
  const token = line.tokens[at]
  return token?.type === 'word' && token.meaning === undefined
}

/** `2 of 5`, `54 / 100`, `7.3 out of 10`, `one in five`, `1:4` */
function ratioAt(line: Line, amount: Amount): FoundNumber | null {
  if (!amount.bare || amount.scaled || line.hints.currency !== undefined) return null
  const joint = ratioJoint(line, amount)
  if (joint === null) return null
  const whole = amountAt(line, joint.next)
  if (whole === null || !whole.bare || whole.scaled || whole.value < amount.value || whole.value < 2)
    return null
  if (
    calendarYear(line, joint.next) !== null ||
    calendarDateAt(line, joint.next) !== null ||
    whole.numeral.step < 1
  )
    return null
  const value = joint.colon ? clean(amount.value / whole.value) : amount.value
  const unit = joint.colon ? ':' : `of ${whole.value}`
  return {
    kind: 'ratio',
    value: {
      type: 'number',
      low: value,
      high: value,
      unit,
      step: joint.colon ? 1e-9 : amount.step,
      about: false,
      bound: null,
    },
    span: [amount.start, whole.end],
    next: whole.next,
  }
}

function ratioJoint(line: Line, amount: Amount): { next: number; colon: boolean } | null {
  const { next } = amount
  if (line.word(next) === 'out' && line.word(next + 1) === 'of') return { next: next + 2, colon: false }
  if (line.word(next) === 'of') return { next: next + 1, colon: false }
  if (line.word(next) === 'in' && amount.value === 1) return { next: next + 1, colon: false }
  if (line.sign(next) === '/' && line.isGlued(next) === line.isGlued(next + 1))
    return { next: next + 1, colon: false }
  if (line.sign(next) === ':' && line.isGlued(next) && line.isGlued(next + 1))
    return { next: next + 1, colon: true }
  return null
}

function finished(line: Line, low: Amount, high: Amount | null, lead: Lead): FoundNumber {
  const last = high ?? low
  const after = high === null ? modifierAfter(line, last.next) : null
  const bound = high === null ? (after?.bound ?? lead.modifier?.bound ?? null) : null
  const share = low.kind === 'percent' && low.unit === ''
  const size = share ? 100 : 1
  const least = clean(low.value * size)
  const most = clean(last.value * size)
  const open = bound === 'max' || bound === 'under'
  return {
    kind: low.kind,
    value: {
      type: 'number',
      low: open ? null : least,
      high: bound === 'min' || bound === 'over' ? null : most,
      unit: share ? '%' : lead.every && low.kind === 'duration' ? `every ${low.unit}` : low.unit,
      step: clean(Math.max(low.step, last.step) * size),
      about: lead.modifier?.about ?? false,
      bound,
    },
    span: [low.start, last.end],
    next: after?.next ?? last.next,
  }
}

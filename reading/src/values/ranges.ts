/** From single amounts to what was said: ranges, fractions of a whole, durations in parts, bounds. */
import type { ClaimKind, NumberValue } from '../claim.ts'
import { amountAt, clean, sentenceCurrency, type Amount } from './amounts.ts'
import { calendarDateAt, calendarYear } from './dates.ts'
import type { ValueLine } from './line.ts'
import { modifierAfter, type Modifier } from './modifiers.ts'

export interface FoundNumber {
  readonly kind: ClaimKind
  readonly value: NumberValue
  readonly span: readonly [start: number, end: number]
  readonly next: number
}

/** The statement of the words before the amount. */
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
export function numbersAt(line: ValueLine, first: Amount, lead: Lead): FoundNumber[] {
  const ratio = ratioAt(line, first, lead)
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

/** `3 hours and 20 minutes`, `2 years 6 months and 3 days` */
function withParts(line: ValueLine, amount: Amount): Amount {
  return amount.unit === 's' ? withPart(line, withPart(line, withPart(line, amount))) : amount
}

function withPart(line: ValueLine, whole: Amount): Amount {
  const at = line.word(whole.next) === 'and' ? whole.next + 1 : whole.next
  const part = amountAt(line, at)
  const smaller = part?.unit === 's' && part.factor < whole.factor && part.value < whole.factor
  if (!smaller) return whole
  const { step, factor, end, next } = part
  return { ...whole, value: whole.value + part.value, step, factor, end, next }
}

interface Second {
  readonly amount: Amount
  readonly range: boolean
}

function secondAt(line: ValueLine, amount: Amount, lead: Lead): Second | null {
  const joint = jointAt(line, amount, lead)
  const second = joint === null ? null : amountAt(line, joint.next)
  if (joint === null || second === null || !fits(amount, second)) return null
  if (calendarDateAt(line, joint.next) !== null) return null
  if (amount.bare && second.bare && !isBareRange(joint, amount, second)) return null
  if (joint.kind !== 'list') return { amount: second, range: true }
  const shares = amount.bare && !second.bare && calendarYear(line, amount.first) === null
  // `two or three days` leaves open which.
  const near = line.word(amount.next) === 'or' && second.numeral.value - amount.numeral.value === 1
  return shares ? { amount: second, range: near } : null
}

/** A hyphen between two bare numbers is a range only where it cannot be a telephone or an order number. */
function isBareRange({ kind }: Joint, a: Amount, b: Amount): boolean {
  if (kind === 'range') return true
  return kind === 'hyphen' && a.value < b.value && a.numeral.digits <= 3 && b.numeral.digits <= 3
}

/** Same unit, or one of them has none yet. */
function fits(a: Amount, b: Amount): boolean {
  if (a.bare) return true
  if (b.bare) return a.kind === 'money' && !b.numeral.share
  return a.kind === b.kind && a.unit === b.unit
}

interface Joint {
  readonly next: number
  readonly kind: 'range' | 'hyphen' | 'spaced' | 'list'
}

function jointAt(line: ValueLine, amount: Amount, lead: Lead): Joint | null {
  const { next } = amount
  const sign = line.sign(next)
  const word = line.word(next)
  if (word === 'to') return { next: next + 1, kind: lead.change ? 'list' : 'range' }
  if (word === 'and') return { next: next + 1, kind: lead.between ? 'range' : 'list' }
  if (word === 'or') return { next: next + 1, kind: 'list' }
  if (sign !== '–' && sign !== '—' && sign !== '-') return null
  if (line.isGlued(next) !== line.isGlued(next + 1)) return null
  // With spaces around it, it may part two clauses; between two amounts of one kind it does not.
  if (!line.isGlued(next)) return { next: next + 1, kind: 'spaced' }
  return { next: next + 1, kind: sign === '-' ? 'hyphen' : 'range' }
}

/** A bare amount takes over scale and unit of its neighbour. */
function likened(amount: Amount, other: Amount): Amount {
  if (!amount.bare || other.bare) {
    const smaller = amount.numeral.value < other.numeral.value
    const takesScale = other.bare && other.scaled && !amount.scaled && smaller && amount.factor === 1
    return takesScale ? times(amount, other.scale, 1) : amount
  }
  const scale = amount.scaled ? 1 : other.scale
  const taken = times(amount, scale, other.factor)
  return { ...taken, kind: other.kind, unit: other.unit, bare: false }
}

function times(amount: Amount, scale: number, factor: number): Amount {
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
function withContext(line: ValueLine, amount: Amount): Amount {
  if (!amount.bare) return hintedScale(line, amount)
  const { currency, scale = 1, unit } = line.hints
  if (currency !== undefined)
    return { ...times(amount, amount.scaled ? 1 : scale, 1), kind: 'money', unit: currency, bare: false }
  if (unit === '%') return { ...amount, kind: 'percent', unit: '%', bare: false }
  if (unit !== undefined) return { ...times(amount, amount.scaled ? 1 : scale, 1), unit }
  if (scale !== 1 && !amount.scaled) return times(amount, scale, 1)
  const money = amount.scaled && !isCounting(line, amount.next) ? sentenceCurrency(line) : null
  return money === null ? amount : { ...amount, kind: 'money', unit: money, bare: false }
}

/** `€ 41.8` in a column of millions. */
function hintedScale(line: ValueLine, amount: Amount): Amount {
  const { scale } = line.hints
  const applies = scale !== undefined && amount.kind === 'money' && !amount.scaled && amount.value < 1e6
  return applies ? times(amount, scale, 1) : amount
}

/** A word of content behind the number: something is counted. */
function isCounting(line: ValueLine, at: number): boolean {
  const token = line.tokens[at]
  return token?.type === 'word' && token.meaning === undefined
}

/** `2 of 5`, `54 / 100`, `7.3 out of 10`, `one in five`, `1:4` */
function ratioAt(line: ValueLine, amount: Amount, lead: Lead): FoundNumber | null {
  if (!amount.bare || amount.scaled || line.hints.currency !== undefined) return null
  const joint = ratioJoint(line, amount)
  const whole = joint === null ? null : amountAt(line, joint.next)
  if (joint === null || whole === null || !isWhole(line, whole)) return null
  if (!joint.colon && whole.value < Math.max(2, amount.value)) return null
  const about = lead.modifier?.about ?? false
  return {
    kind: 'ratio',
    value: { type: 'number', ...ratioOf(amount, whole, joint.colon), about, bound: null },
    span: [amount.start, whole.end],
    next: whole.next,
  }
}

/** `1:4` is a quotient; `2 of 5` keeps its whole as the unit, as 4 of 10 is another statement. */
function ratioOf(
  amount: Amount,
  whole: Amount,
  colon: boolean,
): Pick<NumberValue, 'low' | 'high' | 'unit' | 'step'> {
  const value = colon ? clean(amount.value / whole.value) : amount.value
  const unit = colon ? ':' : `of ${whole.value}`
  return { low: value, high: value, unit, step: colon ? 1e-9 : amount.step }
}

/** True for something that has parts: a whole number, no year and no date. */
function isWhole(line: ValueLine, { bare, scaled, value, numeral, first }: Amount): boolean {
  if (!bare || scaled || value < 1 || numeral.step < 1) return false
  return calendarYear(line, first) === null && calendarDateAt(line, first) === null
}

function ratioJoint(line: ValueLine, amount: Amount): { next: number; colon: boolean } | null {
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

function finished(line: ValueLine, low: Amount, high: Amount | null, lead: Lead): FoundNumber {
  const last = high ?? low
  const after = high === null ? modifierAfter(line, last.next) : null
  const bound = high === null ? (after?.bound ?? lead.modifier?.bound ?? null) : null
  // Shares in words are told in per cent.
  const size = low.kind === 'percent' && low.unit === '' ? 100 : 1
  return {
    kind: low.kind,
    value: {
      type: 'number',
      ...endsOf(clean(low.value * size), clean(last.value * size), bound),
      unit: size === 100 ? '%' : unitOf(low, lead),
      step: clean(Math.max(low.step, last.step) * size),
      about: lead.modifier?.about ?? false,
    },
    span: [low.start, last.end],
    next: after?.next ?? last.next,
  }
}

function endsOf(
  low: number,
  high: number,
  bound: NumberValue['bound'],
): Pick<NumberValue, 'low' | 'high' | 'bound'> {
  if (bound === 'max' || bound === 'under') return { low: null, high, bound }
  return { low, high: bound === null ? high : null, bound }
}

/** How often is another measure than how long. */
function unitOf(amount: Amount, lead: Lead): string {
  return lead.every && amount.kind === 'duration' ? `every ${amount.unit}` : amount.unit
}

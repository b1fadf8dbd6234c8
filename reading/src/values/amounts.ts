/**
 * One amount: sign, currency, number, scale and unit, in the orders people write them. Without any of them it is a count,
 * or what the table says its numbers are.
 */
import { currencySigns, dollars, type Meaning } from './lexicon.ts'
import type { ValueLine } from './line.ts'
import { numeralAt, type Numeral } from './numbers.ts'
import type { Unit } from './units.ts'

export type AmountKind = 'money' | 'percent' | 'measure' | 'duration' | 'ratio' | 'count'

export interface Amount {
  readonly kind: AmountKind
  readonly value: number
  readonly step: number
  readonly unit: string
  /** Nothing but a number: it may take the unit of its neighbour. */
  readonly bare: boolean
  readonly scaled: boolean
  /** The factor of the number by its scale, and by its unit. */
  readonly scale: number
  readonly factor: number
  readonly numeral: Numeral
  readonly start: number
  readonly end: number
  readonly first: number
  readonly next: number
}

interface Prefix {
  readonly next: number
  readonly negative: boolean
  readonly open: boolean
  readonly currency: string | null
}

export function amountAt(line: ValueLine, at: number): Amount | null {
  const before = prefixAt(line, at)
  const numeral = numeralAt(line, before.next)
  if (numeral === null || numeral.value > 1e18) return null
  return assemble(line, at, before, numeral)
}

function prefixAt(line: ValueLine, at: number): Prefix {
  let next = at
  let negative = false
  let open = false
  let currency: string | null = null
  for (let tries = 0; tries < 4; tries += 1) {
    const sign = line.sign(next)
    if (!negative && isMinus(line, next)) negative = true
    else if (sign === '+' && line.isGlued(next + 1) && !line.isGlued(next)) negative = false
    else if (sign === '(' && !open && line.isGlued(next + 1) && (currency !== null || isTable(line)))
      open = true
    else {
      const found: FoundCurrency | null = currency === null ? currencyAt(line, next) : null
      if (found === null) break
      currency = found.currency
      next = found.next - 1
    }
    next += 1
  }
  return { next, negative, open, currency }
}

function isMinus(line: ValueLine, at: number): boolean {
  const sign = line.sign(at)
  const minus = sign === '-' || sign === '−' || sign === '–'
  const free = line.tokens[at]?.gap === true || ['(', '€', '$', '£', '|'].includes(line.sign(at - 1))
  return minus && free && line.isGlued(at + 1)
}

interface FoundCurrency {
  readonly currency: string
  readonly next: number
}

function currencyAt(line: ValueLine, at: number): FoundCurrency | null {
  const token = line.tokens[at]
  if (token === undefined) return null
  if (token.type === 'sign') {
    const currency = currencySigns.get(token.sign)
    return currency === undefined ? null : { currency, next: at + 1 }
  }
  if (token.type !== 'word' || !token.capital) return null
  if (line.sign(at + 1) === '$' && line.isGlued(at + 1)) {
    const dollar = dollars.get(line.raw(at).toLowerCase())
    return dollar === undefined ? null : { currency: dollar, next: at + 2 }
  }
  const code = codeOf(line, at, token.meaning)
  return code === null ? null : { currency: code, next: at + 1 }
}

function codeOf(line: ValueLine, at: number, meaning: Meaning | undefined): string | null {
  if (meaning?.currency === undefined || meaning.capitals !== true) return null
  const raw = line.raw(at)
  return raw === raw.toUpperCase() ? meaning.currency : null
}

interface Suffix {
  readonly next: number
  readonly kind: AmountKind | null
  readonly unit: string
  readonly factor: number
  readonly slack: number
}

const nothing = { kind: null, unit: '', factor: 1, slack: 0 } as const

function assemble(line: ValueLine, at: number, before: Prefix, numeral: Numeral): Amount | null {
  const scale = scaleAt(line, numeral.next, before.currency !== null)
  const after = afterNumber(line, scale.next, before, numeral)
  if (after === null) return null
  const unitless = before.currency === null && after.kind === null
  if (numeral.comma && unitless && scale.scale === 1) return null
  const factor = scale.scale * after.factor
  return {
    ...kindOf(before, after, numeral),
    value: clean((before.negative || before.open ? -1 : 1) * numeral.value * factor),
    step: stepOf(numeral, factor, after.slack),
    bare: unitless && !numeral.share,
    scaled: scale.scale !== 1,
    scale: scale.scale,
    factor: after.factor,
    numeral,
    ...placeOf(line, at, after.next),
  }
}

function placeOf(
  line: ValueLine,
  first: number,
  next: number,
): Pick<Amount, 'start' | 'end' | 'first' | 'next'> {
  return { start: line.tokens[first]?.start ?? 0, end: line.tokens[next - 1]?.end ?? 0, first, next }
}

/** Unit and closing bracket, in either order; null where the bracket is not closed. */
function afterNumber(line: ValueLine, at: number, before: Prefix, numeral: Numeral): Suffix | null {
  const closed = before.open && line.sign(at) === ')'
  const next = closed ? at + 1 : at
  const after = before.currency === null ? suffixAt(line, next, numeral) : { ...nothing, next }
  if (!before.open || closed) return after
  return line.sign(after.next) === ')' ? { ...after, next: after.next + 1 } : null
}

function kindOf(before: Prefix, after: Suffix, numeral: Numeral): Pick<Amount, 'kind' | 'unit'> {
  if (before.currency !== null) return { kind: 'money', unit: before.currency }
  return { kind: after.kind ?? (numeral.share ? 'percent' : 'count'), unit: after.unit }
}

/** Whole months and years are as exact as the calendar, not as their last digit: 12 months are a year, 18 are not. */
function stepOf(numeral: Numeral, factor: number, slack: number): number {
  return clean(slack > 0 && numeral.step === 1 ? slack * Math.max(1, numeral.value) : numeral.step * factor)
}

/** Products of decimals without the dust of binary fractions. */
export function clean(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(12))
}

function isTable(line: ValueLine): boolean {
  const { currency, scale, unit } = line.hints
  const only = line.sign(0) === '(' && line.tokens.length <= 6
  return only && (currency !== undefined || scale !== undefined || unit !== undefined)
}

/** `m` is a million behind money, a metre elsewhere; which one a bare `34.6m` is, the sentence tells. */
function scaleAt(line: ValueLine, at: number, money: boolean): { scale: number; next: number } {
  const meaning = line.tokens[at]?.meaning
  const none = { scale: 1, next: at }
  if (meaning?.scale === undefined || meaning.scale < 1000) return none
  if (meaning.short === undefined) return { scale: meaning.scale, next: at + 1 }
  const raw = line.raw(at)
  if (!money && isMeasure(line, at, raw)) return none
  if (raw === 'b' || raw === 'B') return money ? { scale: 1e9, next: at + 1 } : none
  const dot = /^(?:mio|mrd|mln|bln|mil)$/i.test(raw) && line.sign(at + 1) === '.' && line.isGlued(at + 1)
  return { scale: meaning.scale, next: at + (dot && line.tokens[at + 2] !== undefined ? 2 : 1) }
}

function isMeasure(line: ValueLine, at: number, raw: string): boolean {
  if (raw === 'mm' || raw === 'B' || raw === 'b' || raw === 'K')
    return raw !== 'K' || line.tokens[at]?.gap === true
  if (raw !== 'm') return false
  return !(line.isGlued(at) && (hasCurrency(line) || line.isLowerWord(at + 1)))
}

/** Whether the sentence or its table speaks of money at all. */
function hasCurrency(line: ValueLine): boolean {
  return sentenceCurrency(line) !== null
}

const currencies = new WeakMap<ValueLine, string | null>()

/** The first currency of the sentence: what `against 33.1m in the year before` is in. */
export function sentenceCurrency(line: ValueLine): string | null {
  const known = currencies.get(line)
  if (known !== undefined) return known
  let found: string | null = line.hints.currency ?? null
  for (let at = 0; found === null && at < line.tokens.length; at += 1)
    found = currencyAt(line, at)?.currency ?? wordCurrency(line, at)
  currencies.set(line, found)
  return found
}

function wordCurrency(line: ValueLine, at: number): string | null {
  const meaning = line.tokens[at]?.meaning
  return meaning?.currency !== undefined && meaning.capitals === undefined ? meaning.currency : null
}

function suffixAt(line: ValueLine, at: number, numeral: Numeral): Suffix {
  return (
    percentAt(line, at) ??
    moneyAt(line, at) ??
    temperatureAt(line, at) ??
    timesAt(line, at, numeral) ??
    measureAt(line, at, numeral) ?? { ...nothing, next: at }
  )
}

function suffix(kind: AmountKind, unit: string, next: number, factor = 1): Suffix {
  return { kind, unit, factor, slack: 0, next }
}

const percents: ReadonlyMap<string, string> = new Map([
  ['percent', '%'],
  ['pct', '%'],
  ['bp', 'bp'],
  ['bps', 'bp'],
  ['pp', 'pp'],
  ['ppt', 'pp'],
  ['ppts', 'pp'],
  ['pts', 'pp'],
])

function percentAt(line: ValueLine, at: number): Suffix | null {
  const sign = line.sign(at)
  if (sign === '%') {
    return line.word(at + 1) === 'points' ? suffix('percent', 'pp', at + 2) : suffix('percent', '%', at + 1)
  }
  if (sign === '‰') return suffix('percent', '‰', at + 1)
  const next = sign === '-' && line.isGlued(at) ? at + 1 : at
  const word = line.word(next)
  const known = percents.get(word)
  if (known !== undefined) return suffix('percent', known, next + 1)
  return percentOfTwoWords(line, word, next)
}

function percentOfTwoWords(line: ValueLine, first: string, at: number): Suffix | null {
  const second = line.word(at + 1)
  if (first === 'per') {
    if (second === 'mille') return suffix('percent', '‰', at + 2)
    return second === 'cent' ? suffix('percent', '%', at + 2) : null
  }
  if ((first !== 'percentage' && first !== 'basis') || !/^points?$/.test(second)) return null
  return suffix('percent', first === 'basis' ? 'bp' : 'pp', at + 2)
}

function moneyAt(line: ValueLine, at: number): Suffix | null {
  const token = line.tokens[at]
  if (token === undefined) return null
  const sign = currencySigns.get(token.sign)
  // In `5 €20 notes` the sign belongs to what follows.
  if (sign !== undefined)
    return line.isGlued(at + 1) && line.plain(at + 1) !== null ? null : suffix('money', sign, at + 1)
  const currency = wordCurrency(line, at) ?? codeOf(line, at, token.meaning)
  if (currency === null)
    return line.word(at + 1) === 'dollars' && line.raw(at) === 'US' ? suffix('money', 'USD', at + 2) : null
  const amountBehind = token.meaning?.capitals === true && line.plain(at + 1) !== null
  return amountBehind ? null : suffix('money', currency, at + 1)
}

function temperatureAt(line: ValueLine, at: number): Suffix | null {
  const sign = line.sign(at)
  if (sign === '℃') return suffix('measure', 'degC', at + 1)
  const degrees = /^deg(?:ree)?s?$/.test(line.word(at))
  if (sign !== '°' && sign !== 'º' && !degrees) return null
  const scale = line.raw(at + 1)
  if (/^c(?:elsius)?$/i.test(scale)) return suffix('measure', 'degC', at + 2)
  if (/^f(?:ahrenheit)?$/i.test(scale)) return suffix('measure', 'degF', at + 2)
  return suffix('measure', 'deg', at + 1)
}

const compared = new Set(
  'the what higher as its more normal your their his her our greater lower less that'.split(' '),
)

/** `3.2x`, `2.5 times`; `eleven times` counts occasions unless something is compared. */
function timesAt(line: ValueLine, at: number, numeral: Numeral): Suffix | null {
  if (line.word(at) === 'x' && line.plain(at + 1) === null) return suffix('ratio', 'x', at + 1)
  if (line.sign(at) === '×' && line.plain(at + 1) === null) return suffix('ratio', 'x', at + 1)
  if (line.word(at) === 'fold') return suffix('ratio', 'x', at + 1)
  if (line.sign(at) === '-' && line.word(at + 1) === 'fold') return suffix('ratio', 'x', at + 2)
  if (line.word(at) !== 'times') return null
  return numeral.step < 1 || compared.has(line.word(at + 1)) ? suffix('ratio', 'x', at + 1) : null
}

const between = new Set('full consecutive whole further additional extra more calendar clock'.split(' '))

function measureAt(line: ValueLine, at: number, numeral: Numeral): Suffix | null {
  const hyphen = line.sign(at) === '-' && line.isGlued(at) && line.isGlued(at + 1)
  let next = hyphen ? at + 1 : at
  const working = line.word(next) === 'working' || line.word(next) === 'business'
  const worked = working ? /^(day|hour)s?$/.exec(line.word(next + 1)) : null
  if (worked !== null)
    return { kind: 'duration', unit: `working ${worked[1]}`, factor: 1, slack: 0, next: next + 2 }
  if (between.has(line.word(next)) && line.tokens[next + 1]?.meaning?.unit?.kind === 'duration') next += 1
  const long = longUnitAt(line, next)
  if (long !== null) return long
  const unit = unitAt(line, next, numeral)
  if (unit === null) return null
  return overAt(line, unit, next + 1)
}

const powers: ReadonlyMap<string, number> = new Map([
  ['square', 2],
  ['sq', 2],
  ['cubic', 3],
  ['cu', 3],
])

/** Units of two words. */
function longUnitAt(line: ValueLine, at: number): Suffix | null {
  const first = line.word(at)
  const power = powers.get(first)
  if (power !== undefined) return powerUnitAt(line, at, power)
  if (first === 'metric' && line.tokens[at + 1]?.meaning?.unit?.name === 'ton')
    return suffix('measure', 'g', at + 2, 1e6)
  return first === 'nautical' ? suffix('measure', 'm', at + 2, 1852) : null
}

function powerUnitAt(line: ValueLine, at: number, power: number): Suffix | null {
  const next = line.sign(at + 1) === '.' ? at + 2 : at + 1
  const unit = line.tokens[next]?.meaning?.unit
  if (unit?.name !== 'm') return null
  const litres = power === 3 ? 1000 : 1
  return suffix('measure', power === 2 ? 'm2' : 'l', next + 1, clean(unit.factor ** power * litres))
}

/** In capitals these are names of something else: `18 ML engineers`, `3 MS licences`. */
const shouted = new Set('ML MS NM HA CL DL MM CM DB MO NG HL KN BAR SEC MIN HR FT KT'.split(' '))

function unitAt(line: ValueLine, at: number, numeral: Numeral): Unit | null {
  const token = line.tokens[at]
  const unit = token?.meaning?.unit
  if (token === undefined || unit === undefined) return null
  if (unit.exact === undefined) return shouted.has(line.raw(at)) ? null : unit
  if (!unit.exact.includes(line.raw(at)) || numeral.words) return null
  // `10-K`, `form 3-C`: a letter behind a hyphen is no unit, and `B` glued to a number is a part of a list.
  if (line.raw(at).length === 1 && line.sign(at - 1) === '-') return null
  return unit
}

/** `4.7 g/100 g`, `5 mg/kg`, `80 km/h`: what the unit is measured against becomes part of its name. */
function overAt(line: ValueLine, unit: Unit, at: number): Suffix {
  const plain = { kind: unit.kind, unit: unit.name, factor: unit.factor, slack: unit.slack ?? 0, next: at }
  if (line.sign(at) !== '/' || !line.isGlued(at) || unit.kind === 'duration') return plain
  const amount = line.integer(at + 1)
  const next = amount === null ? at + 1 : at + 2
  const below = line.tokens[next]?.meaning?.unit
  if (below === undefined) return plain
  const name = `${unit.name}/${amount === null ? '' : amount}${line.raw(next).toLowerCase()}`
  return { ...plain, kind: 'measure', unit: name, next: next + 1 }
}

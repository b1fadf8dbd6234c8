/** One pass over the tokens of a sentence: at each of them the rules that its meaning calls for, and on behind what they read. */
import type { Days } from '../claim.ts'
import { amountAt, type Amount } from './amounts.ts'
import { currencySigns } from './lexicon.ts'
import { isNoCount, labelledAt } from './exclusions.ts'
import { timeAt } from './times.ts'
import type { ValueLine, ValueReading } from './line.ts'
import { joined, modifierAt, type Modifier } from './modifiers.ts'
import { numbersAt, type Lead } from './ranges.ts'
import { versionAt } from './versions.ts'
import type { ValueToken } from './tokens.ts'

export function scan(line: ValueLine): ValueReading[] {
  const found: ValueReading[] = []
  let at = 0
  let modifier: Modifier | null = null
  while (at < line.tokens.length) {
    const token = line.tokens[at]
    if (token === undefined || isIdle(token)) {
      modifier = null
      at += 1
      continue
    }
    const more: Modifier | null = modifierAt(line, at)
    if (more !== null) {
      modifier = modifier === null ? more : joined(modifier, more)
      at = more.next
      continue
    }
    const read = readAt(line, at, modifier)
    modifier = null
    for (const reading of read.readings) found.push(reading)
    at = Math.max(read.next, at + 1)
  }
  return found
}

function isIdle(token: ValueToken): boolean {
  if (token.type === 'number') return false
  if (token.type === 'word') return token.meaning?.opens !== true
  return token.type === 'name' || !openingSigns.has(token.sign)
}

/** Signs that a value may begin with. */
const openingSigns = new Set([
  '(',
  '-',
  '−',
  '–',
  '+',
  '~',
  '≈',
  '≥',
  '⩾',
  '≤',
  '⩽',
  '<',
  '>',
  ...currencySigns.keys(),
])

interface Step {
  readonly readings: readonly ValueReading[]
  readonly next: number
}

function nothing(next: number): Step {
  return { readings: [], next }
}

function readAt(line: ValueLine, at: number, modifier: Modifier | null): Step {
  const version = versionAt(line, at)
  if (version !== null) return { readings: [version.reading], next: version.next }
  const labelled = labelledAt(line, at)
  if (labelled !== null) return nothing(labelled)
  const time = timeAt(line, at)
  if (time !== null) {
    return time.days === null
      ? nothing(time.next)
      : { readings: [dateReading(line, time.first, time.next, time.days, time.sure)], next: time.next }
  }
  return amountsAt(line, at, modifier)
}

function dateReading(line: ValueLine, first: number, next: number, days: Days, sure: boolean): ValueReading {
  const span = [line.tokens[first]?.start ?? 0, line.tokens[next - 1]?.end ?? 0] as const
  return { kind: 'date', value: { type: 'date', days }, span, sure }
}

function amountsAt(line: ValueLine, at: number, modifier: Modifier | null): Step {
  const ordinal = ordinalAt(line, at)
  if (ordinal !== null) return ordinal
  const amount = amountAt(line, at) ?? singleAt(line, at)
  if (amount === null) return nothing(at + 1)
  const lead = leadOf(line, amount, modifier)
  if (isRejected(line, amount, lead)) return nothing(rejectedEnd(line, amount))
  const numbers = numbersAt(line, amount, lead)
  const only = numbers[0]
  if (only?.kind === 'count' && isUncounted(line, amount)) return nothing(rejectedEnd(line, amount))
  return {
    readings: numbers.map(({ kind, value, span }) => ({ kind, value, span, sure: true })),
    next: numbers.at(-1)?.next ?? amount.next,
  }
}

function leadOf(line: ValueLine, amount: Amount, modifier: Modifier | null): Lead {
  const before = (modifier === null ? amount.first : modifier.first) - 1
  const word = line.word(before)
  const ranging = word === 'from' && line.word(before - 1).startsWith('rang')
  return {
    modifier,
    between: word === 'between',
    change: (word === 'from' || word === 'by') && !ranging,
    every: word === 'every',
  }
}

/** `3-storey`, `4b`, `half` on its own. */
function isRejected(line: ValueLine, amount: Amount, lead: Lead): boolean {
  if (amount.numeral.share) return !isShareOf(line, amount, lead)
  if (!amount.bare) return false
  const { next } = amount
  const hyphened =
    line.sign(next) === '-' &&
    line.isGlued(next) &&
    line.isGlued(next + 1) &&
    line.tokens[next + 1]?.type !== 'number'
  const suffixed = line.tokens[next]?.type === 'word' && line.isGlued(next)
  return hyphened || suffixed
}

const wholes = new Set('of the its their our all'.split(' '))

function isShareOf(line: ValueLine, amount: Amount, lead: Lead): boolean {
  if (amount.numeral.value !== 0.5 || amount.numeral.next - amount.first > 1) return true
  return lead.modifier !== null || wholes.has(line.word(amount.next))
}

function rejectedEnd(line: ValueLine, amount: Amount): number {
  const glued = line.isGlued(amount.next) && line.tokens[amount.next]?.type === 'word'
  return glued ? amount.next + 1 : amount.next
}

/** A bare number outside a table must not be a name. */
function isUncounted(line: ValueLine, amount: Amount): boolean {
  const { currency, scale, unit } = line.hints
  if (currency !== undefined || scale !== undefined || unit !== undefined) return false
  return isNoCount(line, amount)
}

const lasting = new Set(
  'within after than least for lasting lasts most takes took lasted about over under'.split(' '),
)

/** `within a week`, `after an hour`; `EUR 900 a year` is a rate and none of this. */
function singleAt(line: ValueLine, at: number): Amount | null {
  const article = line.word(at)
  if ((article !== 'a' && article !== 'an') || !lasting.has(line.word(at - 1))) return null
  const unit = line.tokens[at + 1]?.meaning?.unit
  if (unit?.kind !== 'duration' || unit.exact !== undefined) return null
  const [from, to] = [line.tokens[at], line.tokens[at + 1]]
  if (from === undefined || to === undefined) return null
  const numeral = { value: 1, step: 1, next: at + 1, words: true, share: false, digits: 0, comma: false }
  const measure = {
    value: unit.factor,
    step: unit.slack ?? unit.factor,
    unit: unit.name,
    scale: 1,
    factor: unit.factor,
  }
  return {
    kind: 'duration',
    ...measure,
    bare: false,
    scaled: false,
    numeral,
    start: from.start,
    end: to.end,
    first: at,
    next: at + 2,
  }
}

/** `the third day`; every other ordinal only points. */
function ordinalAt(line: ValueLine, at: number): Step | null {
  const token = line.tokens[at]
  const written =
    token?.type === 'number' && /^(?:st|nd|rd|th)$/.test(line.word(at + 1)) && line.isGlued(at + 1)
  const value = written ? line.integer(at) : token?.meaning?.ordinal
  if (value === undefined || value === null || token === undefined) return null
  const next = written ? at + 2 : at + 1
  const noun = /^(?:working|business|calendar)$/.test(line.word(next)) ? next + 1 : next
  if (!/^(?:day|week|month)$/.test(line.word(noun))) return nothing(next)
  const number = {
    type: 'number',
    low: value,
    high: value,
    unit: 'ordinal',
    step: 1,
    about: false,
    bound: null,
  } as const
  const span = [token.start, line.tokens[noun]?.end ?? token.end] as const
  return { readings: [{ kind: 'count', value: number, span, sure: true }], next: noun + 1 }
}

/** Gives the value and the period that a model wrote the types that the rest of the service compares and shows. */
import type { LocatedClaim, ClaimKind, Days, Value } from '../domain/claim.ts'
import type { NumberValue } from '@concord/reading/src/claim.ts'
import { canonical } from '@concord/reading/src/words/canon.ts'
import { stateWord, wordValue } from '@concord/reading/src/values/states.ts'
import { findValues, sameNumber } from '@concord/reading/src/values.ts'
import type { FoundValue } from '@concord/reading/src/values.ts'
import { monthsOf } from '@concord/reading/src/values/calendar.ts'
import { stemsOf } from './words.ts'

export interface TypedValue {
  readonly kind: ClaimKind
  readonly value: Value
}

export function typeValue(text: string, attribute: string): TypedValue {
  return (
    readYesNo(text) ?? readMonth(text) ?? readQuantity(text, attribute) ?? readState(text) ?? readName(text)
  )
}

function readYesNo(text: string): TypedValue | null {
  const word = text.toLowerCase()
  if (word !== 'yes' && word !== 'no') return null
  return { kind: 'existence', value: { type: 'word', family: 'yes-no', word, rank: null } }
}

function readMonth(text: string): TypedValue | null {
  const days = monthIn(text)
  return days === null ? null : { kind: 'date', value: { type: 'date', days } }
}

/** `2024-03` */
function monthIn(text: string): Days | null {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  return year === undefined ? null : monthsOf(Number(year), Number(month), Number(month))
}

/** Words around a value that are part of its type already. */
const bounding =
  /\b(?:about|approximately|approx|around|circa|ca|nearly|almost|some|roughly|at least|at most|more than|less than|over|under|up to|not more than|no more than|minimum|maximum|fewer than|from|to|between|and|the|a|on|in|of)\b/giu

/** One number or date that is all of the text: `EUR 900 per month` is no amount of money, since it is a rate. */
function readQuantity(text: string, attribute: string): TypedValue | null {
  const [found, more] = findValues(text, 0, text.length)
  if (found === undefined || more !== undefined) return null
  // An amount in brackets is a loss in accounts, and so may one behind a detached dash be.
  if (/[(\-−–]\s*$/u.test(text.slice(0, found.span[0]))) return null
  const rest = `${text.slice(0, found.span[0])} ${text.slice(found.span[1])}`.replaceAll(bounding, ' ')
  const noun = rest.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
  if (found.kind === 'date' && /^\d{4}$/.test(text) && counting.test(attribute))
    return yearAsCount(text, attribute)
  if (found.kind === 'count') return readCount(found, noun, attribute)
  return noun === '' ? { kind: found.kind, value: found.value } : null
}

/** Attributes whose number is no year, also between 1800 and 2199. */
const counting =
  /\b(?:number of|count of|total of|headcount|head count|how many|quantity of|employees|staff|units|participants|patients)\b/i

function yearAsCount(text: string, attribute: string): TypedValue | null {
  const number = Number(text)
  const value = {
    type: 'number',
    low: number,
    high: number,
    unit: '',
    step: 1,
    about: false,
    bound: null,
  } as const
  return readCount({ kind: 'count', value, span: [0, text.length], confidence: 1 }, '', attribute)
}

const maxNouns = 4

/** A count is of its noun, which stands beside it or is the head of the attribute: "number of bedrooms damaged". */
function readCount({ kind, value }: FoundValue, noun: string, attribute: string): TypedValue | null {
  if (value.type !== 'number' || /\p{N}/u.test(noun) || noun.split(' ').length > maxNouns) return null
  const head = noun === '' ? attribute.replace(/^(?:total |overall )?(?:number|count) of /i, '') : noun
  return { kind, value: { ...value, unit: value.unit === '' ? (stemsOf(head)[0] ?? '') : value.unit } }
}

function readState(text: string): TypedValue | null {
  const state = stateWord(text.toLowerCase().replaceAll(' ', '-'))
  return state === null ? null : { kind: state.level ? 'level' : 'status', value: wordValue(state) }
}

const maxNameWords = 24

function readName(text: string): TypedValue {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,:'’/-][\p{L}\p{N}]+)*/gu) ?? []
  const value = { type: 'name', words: words.slice(0, maxNameWords).map(canonical) } as const
  return { kind: 'identity', value }
}

/** A period with one date of which the other end is not said covers more than that date. */
const openEnded = /^(?:since|from|until|till|before|after|prior to|up to|starting|effective)\b/iu

/** The days that a period in words covers, from the first to the last date in it; null where it names none or only one end. */
export function readPeriod(text: string | null): Days | null {
  if (text === null) return null
  const month = monthIn(text.replace(/^(?:as of|as at|in|by) /, ''))
  if (month !== null) return month
  const days = findValues(text, 0, text.length).flatMap(({ value }) =>
    value.type === 'date' ? value.days : [],
  )
  if (days.length === 0 || (days.length === 2 && openEnded.test(text))) return null
  return [Math.min(...days), Math.max(...days)]
}

/**
 * Whether two claims give one number or one date, so that there is nothing to compare. Words never count: "yes" to a permission and
 * "yes" to a prohibition are the same word. In doubt they are not the same, and the model is asked.
 */
export function haveSameValue(one: LocatedClaim, other: LocatedClaim): boolean {
  const { value: a } = one
  const { value: b } = other
  if (a.type === 'number' && b.type === 'number')
    return sameNumber(a, b) === 'same' && isRoundingOf(a, b) && haveSameNoun(one, other)
  if (a.type !== 'date' || b.type !== 'date') return false
  return a.days[0] === b.days[0] && a.days[1] === b.days[1]
}

/** More than a year of 52 weeks is shorter than one of twelve months, and less than 100 years are longer than 99. */
const maxDifference = 0.004

/** Whether the less precise number is the other one rounded: EUR 41.8 million is not EUR 41,900,000, and EUR 1 million not EUR 1.4 million. */
function isRoundingOf(a: NumberValue, b: NumberValue): boolean {
  if (a.about || b.about) return true
  const isNear = (x: number | null, y: number | null) => {
    if (x === null || y === null) return x === y
    const difference = Math.abs(x - y)
    const rounding = (Math.max(a.step, b.step) / 2) * (1 + 1e-9)
    return difference <= rounding && difference <= maxDifference * Math.max(Math.abs(x), Math.abs(y))
  }
  return isNear(a.low, b.low) && isNear(a.high, b.high)
}

/** Attributes whose numbers are names: version 2.1 is not 2.10. */
const numbering =
  /(?:\b(?:version|release|clause|section|article|paragraph|annex|code|account|iban|id|identifier|reference|serial)\b|\bnumber$)/iu
/** Beyond these digits a number is no longer exact. */
const maxExactDigits = 15

/** "2 tablets per day" and "2 tablets per week" are counts of tablets, but of another thing. */
function haveSameNoun(a: LocatedClaim, b: LocatedClaim): boolean {
  if (a.kind !== 'count' || b.kind !== 'count') return true
  const [one, other] = [wordingOf(a), wordingOf(b)]
  if (one === other) return true
  if (numbering.test(a.attribute.text) || numbering.test(b.attribute.text)) return false
  if ([one, other].some((text) => text.replaceAll(/\P{N}/gu, '').length > maxExactDigits)) return false
  const [nouns, others] = [nounsOf(one), nounsOf(other)]
  // A bare number counts what its attribute names.
  return nouns === others || nouns === '' || others === ''
}

function wordingOf({ stated, valueText }: LocatedClaim): string {
  return (stated?.value ?? valueText).trim().toLowerCase()
}

/** The words around the number, as a set. */
function nounsOf(wording: string): string {
  const [found] = findValues(wording, 0, wording.length)
  const rest = found ? wording.slice(0, found.span[0]) + ' ' + wording.slice(found.span[1]) : wording
  return stemsOf(rest.replaceAll(bounding, ' ')).toSorted().join(' ')
}

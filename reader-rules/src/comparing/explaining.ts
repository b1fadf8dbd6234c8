/** One or two English sentences for people: who says what, and how far apart it is. */
import type { Claim, Days, NumberValue } from '@concord/reading/src/claim.ts'
import { isStatement } from './statements.ts'

const dayLength = 86_400_000

function isoDay(day: number): string {
  return new Date(day * dayLength).toISOString().slice(0, 10)
}

/** A year, quarter, month or day by its usual name, anything else by both ends. */
export function periodText([first, last]: Days): string {
  const from = isoDay(first)
  if (first === last) return from
  const until = isoDay(last + 1)
  const months =
    (Number(until.slice(0, 4)) - Number(from.slice(0, 4))) * 12 +
    Number(until.slice(5, 7)) -
    Number(from.slice(5, 7))
  const whole = from.endsWith('-01') && until.endsWith('-01')
  if (whole && months === 1) return from.slice(0, 7)
  if (whole && months === 12 && from.slice(5, 7) === '01') return from.slice(0, 4)
  if (whole && months === 3 && (Number(from.slice(5, 7)) - 1) % 3 === 0) {
    return `${from.slice(0, 4)} Q${(Number(from.slice(5, 7)) + 2) / 3}`
  }
  return `${from} to ${isoDay(last)}`
}

function point(value: NumberValue): number | null {
  if (value.low !== null && value.high !== null) return value.low === value.high ? value.low : null
  return value.low ?? value.high
}

/** At most four digits after the point, no trace of binary fractions, thousands set apart. */
function printed(value: number): string {
  const text = String(Number(value.toFixed(4)))
  if (text.includes('e')) return text
  const [whole = '', rest] = text.split('.')
  let grouped = whole.slice(-3)
  for (let end = whole.length - 3; end > 0; end -= 3)
    grouped = `${whole.slice(Math.max(0, end - 3), end)},${grouped}`
  return rest === undefined ? grouped : `${grouped}.${rest}`
}

function numberGap(a: NumberValue, b: NumberValue): string {
  const x = point(a)
  const y = point(b)
  if (x === null || y === null) return ''
  const gap = Math.abs(x - y)
  if (a.unit === '%') return `: a difference of ${printed(gap)} points`
  const share = Math.max(Math.abs(x), Math.abs(y))
  const part = share > 0 ? ` (${printed(Math.round((gap / share) * 1000) / 10)} %)` : ''
  return a.unit === 's'
    ? `: a difference of ${duration(gap)}${part}`
    : `: a difference of ${printed(gap)}${part}`
}

const spans: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

function duration(seconds: number): string {
  const [size, name] = spans.find(([length]) => seconds >= length && seconds % length === 0) ?? [1, 'second']
  const count = seconds / size
  return `${printed(count)} ${name}${count === 1 ? '' : 's'}`
}

function gapText(a: Claim, b: Claim): string {
  if (a.value.type === 'number' && b.value.type === 'number') return numberGap(a.value, b.value)
  if (a.value.type !== 'date' || b.value.type !== 'date') return ''
  const days = Math.abs(a.value.days[0] - b.value.days[0])
  return days === 0 ? '' : `: ${days} day${days === 1 ? '' : 's'} apart`
}

function stated(claim: Claim): string {
  return claim.valueText.trim().replaceAll(/\s+/gu, ' ')
}

/** How two sides stand to each other. Earlier and later are said only of documents whose dates say so. */
export type Order =
  | 'conflict'
  | 'change'
  | 'later_corrects'
  | 'other_corrects'
  | 'either_corrects'
  /** Within one document. */
  | 'inside'

const lead: Readonly<Record<Order, readonly [first: string, second: string, remark?: string]>> = {
  conflict: ['One document says', 'another says'],
  change: ['The earlier state is', 'the later one is'],
  later_corrects: ['The earlier document says', 'the later one corrects it to'],
  other_corrects: ['One document says', 'another corrects it to'],
  inside: ['One document says', 'and elsewhere'],
  either_corrects: [
    'One document says',
    'another says',
    'One of them may correct the other, but nothing says which one holds.',
  ],
}

export function explain(
  order: Order,
  about: { readonly subject: string; readonly attribute: string; readonly period: string | null },
  a: Claim,
  b: Claim,
): string {
  const of = about.subject === '' ? '' : ` of ${about.subject}`
  const when = about.period === null ? '' : ` (${about.period})`
  const [first, second, remark] = lead[order]
  // Whole sentences name what they are about.
  const topic = about.attribute === '' || isStatement(a) ? '' : `${about.attribute}${of}${when}: `
  const text = `${topic}${first} ${stated(a)}, ${second} ${stated(b)}${gapText(a, b)}.${remark === undefined ? '' : ` ${remark}`}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

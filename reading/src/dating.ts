/** When a document speaks: from a field that says so, else from its title, its first heading or the lines at its top. */
import type { Days } from './claim.ts'
import type { Field, Span, Structure } from './format.ts'
import { findValues } from './values.ts'

const month = 31

/** The first date of a span that is a day or a month, and not the end of something. */
function firstDay(text: string, [start, end]: Span): number | null {
  for (const found of findValues(text, start, Math.min(end, start + 160))) {
    if (ofAnother.test(text.slice(start, found.span[0]))) continue
    if (found.value.type === 'date' && found.value.days[1] - found.value.days[0] <= month)
      return found.value.days[0]
  }
  return null
}

const otherDates =
  /\b(?:reference|birth|period|registration|incorporation|expiry|due|lock|outcome|start|end|first|last|next)\b/
const ownDates =
  /\b(?:report|issue|issued|letter|answers|declaration|signature|minutes|meeting|visit|this|statement|notice|memo)\b/

/** How surely a key gives the date of the document itself; 0 where it does not. */
function weightOf(key: string): number {
  if (/^(?:date|dated|sent|issued(?: on)?|date issued|signed(?: on)?)$/.test(key)) return 4
  if (otherDates.test(key)) return 0
  if (/\bdate\b/.test(key)) return ownDates.test(key) ? 3 : 2
  return /\b(?:issued|sent|signed|received|prepared|version|status|day|as of|as at)\b/.test(key) ? 1 : 0
}

/** The date that a set of fields gives. */
export function dateInFields(text: string, fields: readonly Field[]): number | null {
  let best: number | null = null
  let rank = 0
  for (const field of fields.slice(0, 24)) {
    const weight = weightOf(text.slice(field.key[0], Math.min(field.key[1], field.key[0] + 60)).toLowerCase())
    const day = weight > rank ? firstDay(text, field.value) : null
    if (day !== null) [best, rank] = [day, weight]
  }
  return best
}

export function dateOf(text: string, structure: Structure): number | null {
  const stated = dateInFields(text, structure.header.fields)
  if (stated !== null) return stated
  const { title } = structure.header
  const above = title === undefined ? null : firstDay(text, title)
  return above ?? dateBehindName(text, structure.header.fields) ?? dateAtTop(text, structure)
}

/** "Broker: Calder Row, 30 January 2026": who wrote it, and when. */
function dateBehindName(text: string, fields: readonly Field[]): number | null {
  for (const { key, value } of fields.slice(0, 24)) {
    if (otherDates.test(text.slice(key[0], Math.min(key[1], key[0] + 60)).toLowerCase())) continue
    const [found, more] = findValues(text, value[0], Math.min(value[1], value[0] + 160))
    if (found?.value.type !== 'date' || more !== undefined || !isBehindName(text, value, found.span)) continue
    if (found.value.days[1] - found.value.days[0] <= month) return found.value.days[0]
  }
  return null
}

function isBehindName(text: string, value: Span, date: Span): boolean {
  return /^\p{Lu}[^.;:\d]*,\s*$/u.test(text.slice(value[0], date[0])) && date[1] >= value[1] - 1
}

/** How far the top of a document reaches. */
const top = 700
/** A longer passage is running text: its dates are those of what it tells. */
const shortLine = 240

function dateAtTop(text: string, structure: Structure): number | null {
  let best: number | null = null
  let rank = 0
  const passages = structure.passages
    .slice(0, 6)
    .filter(({ kind }) => kind !== 'list-item' && kind !== 'code')
  const lines = [...passages, ...structure.headings.slice(0, 2)].toSorted((a, b) => a.span[0] - b.span[0])
  for (const { span } of lines) {
    if (span[0] > top) break
    const long = span[1] - span[0] > shortLine
    for (const found of findValues(text, span[0], Math.min(span[1], span[0] + shortLine))) {
      if (found.value.type !== 'date' || found.value.days[1] - found.value.days[0] > month) continue
      if (ofAnother.test(text.slice(Math.max(span[0], found.span[0] - 60), found.span[0]))) continue
      const weight = weightAt(text, span[0], found.span[0], found.value.days) - (long ? 1.9 : 0)
      if (weight > rank) [best, rank] = [found.value.days[0], weight]
    }
  }
  return best
}

/** "The policy ends on 31 December", "the year to 30 June": a date of what the text tells of. */
const ofAnother =
  /\b(?:end(?:s|ed|ing)?|expir(?:es|ed|y)|until|till|lasts?|runs?|matures?|due|valid|year to|months? to|period to|begins?|starts?|commences?)\b[^.;:]{0,24}$/i

const announcing =
  /\b(?:issued|dated|sent|signed|made|status|version|published|report|minutes|meeting|session|as of|as at|up to|in the data room)\b[^.;]{0,60}$/i

/** A date that is announced counts more than one that stands alone, a day more than a month. */
function weightAt(text: string, from: number, at: number, days: Days): number {
  const before = text.slice(Math.max(from, at - 80), at)
  return (announcing.test(before) ? 2 : 1) + (days[0] === days[1] ? 0.5 : 0)
}

const periodKey = /^(?:reporting )?(?:period|month|year|quarter)\b|^reference date|^as (?:at|of)/

/** The time that a form or its tables speak of, where a field says so. */
export function periodInFields(text: string, fields: readonly Field[]): Days | null {
  for (const field of fields) {
    if (!periodKey.test(text.slice(field.key[0], Math.min(field.key[1], field.key[0] + 40)).toLowerCase()))
      continue
    const days = findValues(text, field.value[0], field.value[1]).flatMap((found) =>
      found.value.type === 'date' ? found.value.days : [],
    )
    if (days.length > 0) return [Math.min(...days), Math.max(...days)]
  }
  return null
}

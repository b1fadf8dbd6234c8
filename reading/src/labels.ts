/**
 * Run-in labels at the start of a paragraph or an item: `**Rent review.** …`, `*Article 2.* …`, `Correction: …`. They
 * name what the paragraph is about, like a heading that takes no line of its own.
 */
import { isSpace, trimmed } from './characters.ts'
import { emphasisRun } from './emphasis.ts'
import type { Span } from './format.ts'
import { readKeyed } from './keys.ts'

export interface Label {
  readonly label: Span
  /** Where the text behind the label begins. */
  readonly body: number
}

/** A label stands on the first line; `to` is the end of that line. */
export function readLabel(text: string, from: number, to: number): Label | null {
  const runIn = readRunIn(text, from, to)
  if (runIn !== null) return runIn
  const keyed = readKeyed(text, from, to)
  return keyed === null || keyed.value === null ? null : { label: keyed.key, body: keyed.value[0] }
}

const longest = 100

/** Emphasised words that end in punctuation, inside or right behind the signs, with text after them. */
export function readRunIn(text: string, from: number, to: number): Label | null {
  const run = emphasisRun(text, from, to)
  if (run === 0 || run > 3) return null
  const sign = text.slice(from, from + run)
  const head = text.slice(from + run, Math.min(to, from + run + longest))
  const close = head.indexOf(sign)
  if (close <= 0) return null
  const closed = from + run + close
  const stop = closed + run
  const inside = '.:?!'.includes(text.charAt(closed - 1))
  const outside = text.charAt(stop) === ':'
  return inside || outside ? cut(text, [from + run, closed, outside ? stop + 1 : stop, to]) : null
}

function cut(text: string, [start, end, after, to]: readonly [number, number, number, number]): Label | null {
  if (after >= to || !isSpace(text.charCodeAt(after))) return null
  const last = '.:'.includes(text.charAt(end - 1)) ? end - 1 : end
  const label = trimmed(text, start, last)
  const body = trimmed(text, after, to)
  return label === null || body === null ? null : { label, body: body[0] }
}

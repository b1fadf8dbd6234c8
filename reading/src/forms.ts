/**
 * `Key: value` as a passage of its own. Prose behind a colon is not one: it stays a paragraph with a label, because its
 * sentences mean something without the key, and a value does not.
 */
import { isUpper, trimmed } from './characters.ts'
import type { Field, Span } from './format.ts'
import { keyOf, readKeyed } from './keys.ts'
import type { Keyed } from './keys.ts'
import { lineBelow } from './lines.ts'
import { textEnd } from './paragraphs.ts'
import { splitSentences } from './sentences.ts'
import { beginsBlock, isWrapped } from './starts.ts'
import type { Ground } from './starts.ts'
import { splitChunks } from './tables/chunks.ts'

export interface FieldFound {
  readonly last: number
  readonly field: Field
}

export interface FormFound {
  readonly last: number
  /** More than one where a form has two columns: `Product: raspberries    Item: 40217`. */
  readonly fields: readonly Field[]
}

export function readForm(ground: Ground, index: number): FormFound | null {
  const columns = readColumns(ground, index)
  if (columns !== null) return columns
  const found = readField(ground, index)
  if (found === null) return null
  const clear =
    found.strong || (isShort(ground.sheet.text, found.field.value) && !runsOn(ground, index, found.last))
  return clear ? { last: found.last, fields: [found.field] } : null
}

/** One short statement, as a value is. Without a stop at its end it may be a longer one: a list of those present. */
function isShort(text: string, [start, end]: Span): boolean {
  const limit = '.!?'.includes(text.charAt(end - 1)) ? 120 : 240
  return end - start <= limit && splitSentences(text.slice(start, end), 0).length === 1
}

/** Key and value, the value with the lines below it that stand further in than the key. */
export function readField(ground: Ground, index: number): (FieldFound & { strong: boolean }) | null {
  const { text, lines } = ground.sheet
  const line = lines[index]
  const keyed = line === undefined ? null : keyOf(text, line)
  if (line === undefined || keyed === null || keyed.value === null) return null
  const last = textEnd(ground, { first: index, list: true }, (next) => next.indent > line.indent + 1)
  const end = lines[last]?.to ?? line.to
  return { last, field: fieldOf([line.from, end], keyed, keyed.value[0]), strong: keyed.strong }
}

function fieldOf(span: Span, keyed: Keyed, value: number): Field {
  return { span, key: keyed.key, value: [value, span[1]] }
}

/** Two or more keys on one line, each further one behind a wide space. */
function readColumns(ground: Ground, index: number): FormFound | null {
  const { text, lines } = ground.sheet
  const line = lines[index]
  if (line === undefined || !line.wide || keyOf(text, line) === null) return null
  const starts = [line.from]
  for (const [chunk] of splitChunks(text, line).slice(1)) {
    const before = readKeyed(text, starts.at(-1) ?? line.from, chunk)
    const here = readKeyed(text, chunk, line.to)
    if (
      before?.value !== undefined &&
      before.value !== null &&
      here?.value !== undefined &&
      here.value !== null
    )
      starts.push(chunk)
  }
  return starts.length === 1 ? null : { last: index, fields: columnFields(text, starts, line.to) }
}

function columnFields(text: string, starts: readonly number[], end: number): Field[] {
  return starts.flatMap((start, column) => {
    const span = trimmed(text, start, starts[column + 1] ?? end)
    const keyed = span === null ? null : readKeyed(text, span[0], span[1])
    return span === null || keyed === null || keyed.value === null
      ? []
      : [fieldOf(span, keyed, keyed.value[0])]
  })
}

/** The next line goes on with the sentence: `Annexes: two certified copies; an extract from the shareholders'`. */
function runsOn(ground: Ground, first: number, last: number): boolean {
  const { text } = ground.sheet
  const line = ground.sheet.lines[last]
  const next = lineBelow(ground.sheet, last)
  if (line === undefined || next === undefined || !isWrapped(line)) return false
  if (beginsBlock(ground, last + 1, { first, list: true })) return false
  const keyed = keyOf(text, next)
  return keyed === null || !isUpper(text, keyed.key[0])
}

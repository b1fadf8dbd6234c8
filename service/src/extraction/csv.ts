/**
 * Converts CSV to text: one table. The separator is the most frequent one of the first line: comma, semicolon or tab.
 */
import type { FileLayout } from '../domain/file-layout.ts'
import { createSheetWriter } from './sheet-writer.ts'
import type { TextBuilder } from './text-builder.ts'

export function extractCsv(text: string, builder: TextBuilder): FileLayout {
  const writer = createSheetWriter(builder)
  writer.sheet('')
  let index = 0
  for (const fields of rowsOf(text, separatorOf(text))) {
    writer.row(index, new Map(fields.entries()))
    index += 1
  }
  return writer.layout()
}

const SEPARATORS = [',', ';', '\t'] as const

function separatorOf(text: string): string {
  const end = text.indexOf('\n')
  const line = (end === -1 ? text : text.slice(0, end)).replaceAll(/"[^"]*"/g, '')
  const counts = SEPARATORS.map((separator) => [line.split(separator).length, separator] as const)
  return counts.toSorted(([a], [b]) => b - a)[0]?.[1] ?? ','
}

/** Parses by RFC 4180. A quote inside an unquoted field is a character. */
function* rowsOf(text: string, separator: string): Generator<string[]> {
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const { field, end } =
      text.charAt(at) === '"' ? quotedField(text, at, separator) : bareField(text, at, separator)
    row.push(field)
    const next = text.charAt(end)
    at = end + 1
    if (next === separator) {
      if (at === text.length) row.push('')
      continue
    }
    if (next === '\r' && text.charAt(at) === '\n') at += 1
    yield row
    row = []
  }
  if (row.length > 0) yield row
}

interface Field {
  readonly field: string
  /** The position of its separator or of the end of the line. */
  readonly end: number
}

function bareField(text: string, start: number, separator: string): Field {
  let end = start
  while (end < text.length && !isEnd(text.charAt(end), separator)) end += 1
  return { field: text.slice(start, end), end }
}

function isEnd(character: string, separator: string): boolean {
  return character === separator || character === '\n' || character === '\r'
}

/** Text between the closing quote and the separator is dropped. */
function quotedField(text: string, start: number, separator: string): Field {
  let close = text.indexOf('"', start + 1)
  while (close !== -1 && text.charAt(close + 1) === '"') close = text.indexOf('"', close + 2)
  const last = close === -1 ? text.length : close
  const field = text.slice(start + 1, last).replaceAll('""', '"')
  let end = Math.min(text.length, last + 1)
  while (end < text.length && !isEnd(text.charAt(end), separator)) end += 1
  return { field, end }
}

/** Tables drawn with `|`: Markdown with its delimiter row, grids, and plain rows between two bars. */
import { trimmed } from '../characters.ts'
import { withoutEmphasis } from '../emphasis.ts'
import type { Line, Sheet } from '../lines.ts'
import { maxCells } from './draft.ts'
import type { TableCell, DraftRow, DraftTable } from './draft.ts'

const bar = 0x7c

export function isPipeLine(text: string, line: Line): boolean {
  return line.pipes > 0 || (text.charCodeAt(line.from) === 0x2b && isDelimiter(text, line))
}

/** `|---|:--:|` or `+----+----+`: nothing but strokes, and at least one of them upright. */
function isDelimiter(text: string, line: Line): boolean {
  let [dashes, uprights] = [0, 0]
  for (let at = line.from; at < line.to; at += 1) {
    const sign = text.charAt(at)
    if (sign === '-' || sign === '=') dashes += 1
    else if (sign === '|' || sign === '+') uprights += 1
    else if (sign !== ':' && sign !== ' ') return false
  }
  return dashes >= 2 && uprights > 0
}

/** The table in a run of lines that all hold a bar, or null. */
export function readPipeTable(sheet: Sheet, first: number, last: number): DraftTable | null {
  const delimiters: number[] = []
  for (let index = first; index <= last; index += 1) {
    const line = sheet.lines[index]
    if (line !== undefined && isDelimiter(sheet.text, line)) delimiters.push(index)
  }
  const start = tableStart(sheet, first, last, delimiters[0])
  if (start === -1) return null
  const rulers = delimiters.filter((index) => index >= start)
  const header = headerEnd(start, rulers)
  const rows = readRows(sheet, start, last, new Set(rulers), header)
  return rows === null || rows.length === 0 ? null : { kind: 'pipe', first: start, last, rows, rulers }
}

/** Where the table begins: one line above the delimiter; without one, all lines must stand between bars. */
function tableStart(sheet: Sheet, first: number, last: number, delimiter: number | undefined): number {
  if (delimiter !== undefined) return Math.max(first, delimiter - 1)
  if (last === first) return -1
  const pipes = sheet.lines[first]?.pipes ?? 0
  for (let index = first; index <= last; index += 1) {
    const line = sheet.lines[index]
    if (line === undefined || line.pipes !== pipes || pipes < 3 || !isBetweenBars(sheet.text, line)) return -1
  }
  return first
}

function isBetweenBars(text: string, line: Line): boolean {
  return text.charCodeAt(line.from) === bar && text.charCodeAt(line.to - 1) === bar
}

/** The line before which all rows are header rows. A grid opens with a delimiter, so the second one counts there. */
function headerEnd(start: number, rulers: readonly number[]): number {
  const end = rulers[0] === start ? rulers[1] : rulers[0]
  return end ?? start
}

function readRows(
  sheet: Sheet,
  first: number,
  last: number,
  rulers: ReadonlySet<number>,
  header: number,
): DraftRow[] | null {
  const rows: DraftRow[] = []
  for (let index = first; index <= last; index += 1) {
    const line = sheet.lines[index]
    if (line === undefined || rulers.has(index)) continue
    if (line.pipes > maxCells) return null
    const cells = splitCells(sheet.text, line)
    rows.push({ line: index, span: [line.from, line.to], cells, header: index < header, indent: line.indent })
  }
  return rows
}

/** The cells of a row; `\|` is a bar inside a cell. */
function splitCells(text: string, line: Line): TableCell[] {
  const cells: TableCell[] = []
  let start = line.from
  for (let at = line.from; at <= line.to; at += 1) {
    const isBar = text.charCodeAt(at) === bar && text.charAt(at - 1) !== '\\'
    if (at < line.to && !isBar) continue
    // Outer bars close nothing.
    if (at > line.from && (at < line.to || start < line.to)) cells.push(cellOf(text, start, at))
    start = at + 1
  }
  return cells
}

function cellOf(text: string, from: number, to: number): TableCell {
  const cell = trimmed(text, from, to)
  return cell === null ? null : withoutEmphasis(text, cell)
}

/** Tables whose cells one sign keeps apart: tabs, semicolons, commas. Every row must have the same number of cells. */
import { trimmed } from '../characters.ts'
import { withoutEmphasis } from '../emphasis.ts'
import type { Line, Sheet } from '../lines.ts'
import { markerOf } from '../markers.ts'
import { maxCells } from './draft.ts'
import type { TableCell, DraftRow, DraftTable } from './draft.ts'
import { withHeader } from './values.ts'

export function readTabTable(sheet: Sheet, first: number, last: number): DraftTable | null {
  const single = padded(readRows(sheet, first, last, (line) => splitTabs(sheet.text, line, false)))
  const rows = isTable(single)
    ? single
    : readRows(sheet, first, last, (line) => splitTabs(sheet.text, line, true))
  if (!isTable(rows) || isForm(sheet.text, rows)) return null
  return { kind: 'tab', first, last, rows: withHeader(sheet.text, rows), rulers: [] }
}

/** At least two rows of three cells, or three rows of two: fewer happen by chance. */
function isTable(rows: readonly DraftRow[] | null): rows is DraftRow[] {
  const width = rows?.[0]?.cells.length ?? 0
  if (rows === null || width < 2 || rows.length < (width === 2 ? 3 : 2)) return false
  return rows.every((row) => row.cells.length === width)
}

/**
 * Rows from a spreadsheet lose empty cells at both ends with the white space. Those in front come back from the tabs
 * before the line, those behind from the width of the others, if at least half of the rows are full.
 */
function padded(rows: readonly DraftRow[] | null): DraftRow[] | null {
  if (rows === null) return null
  // Folded, not spread into one call: there may be more rows than a call takes arguments.
  const shared = rows.reduce((least, row) => Math.min(least, leading(row.cells)), maxCells)
  const cut = rows.map((row) => row.cells.slice(shared))
  const width = cut.reduce((most, cells) => Math.max(most, cells.length), 0)
  if (cut.filter((cells) => cells.length === width).length * 2 < rows.length) return null
  if (cut.some((cells) => cells.length < 2)) return null
  return rows.map((row, index) => ({ ...row, cells: filled(cut[index] ?? [], width) }))
}

function leading(cells: readonly TableCell[]): number {
  return cells.findIndex((cell) => cell !== null)
}

function filled(cells: readonly TableCell[], width: number): TableCell[] {
  return [...cells, ...Array.from({ length: width - cells.length }, () => null)]
}

/** `Key:⇥value` line by line is a form, which reads better as keys and values. */
function isForm(text: string, rows: readonly DraftRow[]): boolean {
  return rows.every((row) => {
    const key = row.cells[0]
    return row.cells.length === 2 && key !== null && key !== undefined && text.charAt(key[1] - 1) === ':'
  })
}

function readRows(
  sheet: Sheet,
  first: number,
  last: number,
  split: (line: Line) => TableCell[] | null,
): DraftRow[] | null {
  const rows: DraftRow[] = []
  for (let index = first; index <= last; index += 1) {
    const line = sheet.lines[index]
    const cells = line === undefined ? null : split(line)
    if (line === undefined || cells === null) return null
    rows.push({ line: index, span: [line.from, line.to], cells, header: false, indent: line.indent })
  }
  return rows
}

/** With `runs`, several tabs in a row are one gap: they were typed to align, not to leave cells empty. */
function splitTabs(text: string, line: Line, runs: boolean): TableCell[] | null {
  const before = runs ? 0 : tabsBefore(text, line)
  if (line.tabs + before > maxCells) return null
  const cells: TableCell[] = Array.from({ length: before }, () => null)
  let start = line.from
  for (let at = line.from; at <= line.to; at += 1) {
    if (at < line.to && text.charAt(at) !== '\t') continue
    const cell = trimmed(text, start, at)
    if (cell !== null || !runs) cells.push(cell === null ? null : withoutEmphasis(text, cell))
    start = at + 1
  }
  return cells
}

function tabsBefore(text: string, line: Line): number {
  let tabs = 0
  for (let at = line.from - 1; at >= 0 && ' \t'.includes(text.charAt(at)); at -= 1) {
    if (text.charAt(at) === '\t') tabs += 1
  }
  return tabs
}

/** Longer lines, and longer cells on average, are prose that happens to hold commas. */
const longest = { line: 2000, cell: 30 } as const

export function readCsvTable(sheet: Sheet, first: number, last: number, sign: ',' | ';'): DraftTable | null {
  if (isAmounts(sheet, first, sign)) return null
  const rows = readRows(sheet, first, last, (line) => splitSigns(sheet.text, line, sign))
  const width = rows?.[0]?.cells.length ?? 0
  if (rows === null || rows.length < 3 || width < 3) return null
  if (!rows.every((row) => row.cells.length === width && row.span[1] - row.span[0] <= width * longest.cell))
    return null
  return { kind: 'csv-like', first, last, rows: withHeader(sheet.text, rows), rulers: [] }
}

/** A first line with `1,250,000` in it, or with a bullet, is no header: its commas part digits. */
function isAmounts(sheet: Sheet, index: number, sign: ',' | ';'): boolean {
  const line = sheet.lines[index]
  if (line === undefined || markerOf(sheet.text, line) !== null) return true
  return (
    sign === ',' &&
    /\d,\d{3}(?!\d)/.test(sheet.text.slice(line.from, Math.min(line.to, line.from + longest.line)))
  )
}

/** Cells between signs; a quoted cell may hold the sign. Prose puts a space behind a comma, data do not. */
function splitSigns(text: string, line: Line, sign: ',' | ';'): TableCell[] | null {
  if (line.to - line.from > longest.line) return null
  const cells: TableCell[] = []
  let [start, quoted] = [line.from, false]
  for (let at = line.from; at <= line.to; at += 1) {
    const here = at === line.to ? sign : text.charAt(at)
    if (here === '"') quoted = !quoted
    if (here !== sign || (quoted && at < line.to)) continue
    if (sign === ',' && text.charAt(at + 1) === ' ' && at < line.to) return null
    cells.push(unquoted(text, trimmed(text, start, at)))
    start = at + 1
  }
  return cells
}

function unquoted(text: string, cell: TableCell): TableCell {
  if (cell === null || cell[1] - cell[0] < 3) return cell
  const quoted = text.charAt(cell[0]) === '"' && text.charAt(cell[1] - 1) === '"'
  return quoted ? (trimmed(text, cell[0] + 1, cell[1] - 1) ?? cell) : cell
}

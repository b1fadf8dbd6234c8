/**
 * Tables aligned by spaces, with or without dashed rulers. The columns are where no row writes anything; without a
 * ruler the edges must agree as well, since a few wide spaces prove nothing.
 */
import type { Span } from '../format.ts'
import type { Line, Sheet } from '../lines.ts'
import { isRuler } from '../rulers.ts'
import { columnOf, splitChunks, widest } from './chunks.ts'
import type { TableCell, DraftRow, DraftTable } from './draft.ts'
import { isValue, withHeader } from './values.ts'

interface Strip {
  readonly index: number
  readonly line: Line
  readonly chunks: readonly Span[]
}

export function readAlignedTable(sheet: Sheet, first: number, last: number): DraftTable | null {
  const { strips, rulers } = readStrips(sheet, first, last)
  const [top, end] = [strips[0], strips.at(-1)]
  if (top === undefined || end === undefined || strips.length < 2) return null
  const columns = findColumns(strips)
  const rows = columns.length < 2 ? null : placeCells(strips, columns)
  if (rows === null) return null
  const inner = rulers.filter((index) => index > top.index && index < end.index)
  const ruled = inner[0] !== undefined
  if (!ruled && !isAligned(sheet, strips, rows)) return null
  const headed = ruled ? underRuler(rows, inner[0] ?? 0) : withHeader(sheet.text, rows)
  return { kind: 'aligned', first: top.index, last: end.index, rows: headed, rulers: inner }
}

function readStrips(sheet: Sheet, first: number, last: number) {
  const strips: Strip[] = []
  const rulers: number[] = []
  for (let index = first; index <= last; index += 1) {
    const line = sheet.lines[index]
    if (line === undefined) continue
    if (isRuler(sheet.text, line)) rulers.push(index)
    else strips.push({ index, line, chunks: splitChunks(sheet.text, line) })
  }
  return { strips, rulers }
}

/** Where each column begins and ends: the stretches of the page that at least one row writes on. */
function findColumns(strips: readonly Strip[]): Span[] {
  const written = new Uint8Array(3 * widest)
  for (const { line, chunks } of strips) {
    for (const [start, end] of chunks) written.fill(1, columnOf(line, start), columnOf(line, end))
  }
  const columns: Span[] = []
  for (let at = written.indexOf(1); at !== -1;) {
    const gap = written.indexOf(0, at)
    const end = gap === -1 ? written.length : gap
    columns.push([at, end])
    at = written.indexOf(1, end)
  }
  return columns
}

/** Each row by columns, or null when two pieces of a row fall into one column: then the columns are not real. */
function placeCells(strips: readonly Strip[], columns: readonly Span[]): DraftRow[] | null {
  const rows: DraftRow[] = []
  for (const { index, line, chunks } of strips) {
    const cells: TableCell[] = columns.map(() => null)
    let column = 0
    for (const chunk of chunks) {
      while (columnOf(line, chunk[0]) >= (columns[column]?.[1] ?? Infinity)) column += 1
      if (cells[column] !== null) return null
      cells[column] = chunk
    }
    rows.push({ line: index, span: [line.from, line.to], cells, header: false, indent: line.indent })
  }
  return rows
}

function underRuler(rows: readonly DraftRow[], ruler: number): DraftRow[] {
  return rows.map((row) => ({ ...row, header: row.line < ruler }))
}

/** Edges agree in every column behind the first. The top row may be a header, whose words stand as they like. */
function isAligned(sheet: Sheet, strips: readonly Strip[], rows: readonly DraftRow[]): boolean {
  const width = rows[0]?.cells.length ?? 0
  const body = rows.length > 2 ? rows.slice(1) : rows
  for (let column = 1; column < width; column += 1) {
    if (!hasEvenEdge(sheet, body, column)) return false
  }
  if (width > 2) return strips.filter(({ chunks }) => chunks.length > 2).length >= 2
  const values = body.every((row) => isValue(sheet.text, row.cells[1] ?? null))
  return values || (rows.length > 2 && rows.every((row) => row.cells[1] !== null))
}

function hasEvenEdge(sheet: Sheet, rows: readonly DraftRow[], column: number): boolean {
  const [lefts, rights]: [number[], number[]] = [[], []]
  for (const row of rows) {
    const cell = row.cells[column]
    const line = sheet.lines[row.line]
    if (cell === null || cell === undefined || line === undefined) continue
    lefts.push(columnOf(line, cell[0]))
    rights.push(columnOf(line, cell[1]))
  }
  return lefts.length > 0 && (isEven(lefts) || isEven(rights))
}

function isEven(edges: readonly number[]): boolean {
  const [first = 0] = edges
  return edges.every((edge) => Math.abs(edge - first) <= 1)
}

/** Tables by their rows, and code. */
import type { BlockOf } from '../blocks.ts'
import { hangAnnounced } from '../hanging.ts'
import { innermost, settle } from '../outline.ts'
import type { DraftRow, DraftTable } from '../tables/draft.ts'
import { markLine, markQuote, placeOf } from './draft.ts'
import type { Draft } from './draft.ts'

export function placeTable(draft: Draft, { table, first }: BlockOf<'table'>): void {
  const line = draft.sheet.lines[first]
  if (line === undefined) return
  settle(draft.outline, line, true)
  const { under } = hangAnnounced(draft.hanging, line)
  const index = draft.tables.length
  const columns = table.rows.find((row) => row.header)?.cells ?? null
  const caption = innermost(draft.outline)
  draft.tables.push({ kind: table.kind, columns, rows: table.rows.length, caption, under })
  for (const ruler of table.rulers) markLine(draft, ruler)
  placeRows(draft, table, index)
  draft.hanging.lead = draft.hanging.question = null
}

/** A row that stands further in hangs under the last row that stands further out. */
function placeRows(draft: Draft, table: DraftTable, index: number): void {
  const open: { indent: number; passage: number }[] = []
  for (const [number, row] of table.rows.entries()) {
    const line = draft.sheet.lines[row.line]
    if (line === undefined) continue
    markQuote(draft, line)
    const nested = table.kind === 'aligned' && !row.header
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= row.indent) open.pop()
    const under = nested ? (open.at(-1)?.passage ?? null) : null
    if (nested && startsFirstColumn(row)) open.push({ indent: row.indent, passage: draft.passages.length })
    const { span, cells, header } = row
    const place = placeOf(draft, line, under)
    draft.passages.push({ kind: 'table-row', span, ...place, table: index, row: number, cells, header })
  }
}

function startsFirstColumn(row: DraftRow): boolean {
  return row.cells[0] !== null && row.cells[0] !== undefined
}

/** The code between two fences, as it is. */
export function placeCode(draft: Draft, block: BlockOf<'code'>): void {
  const { lines } = draft.sheet
  markLine(draft, block.first)
  if (block.last > block.first) markLine(draft, block.last)
  const [top, end] = [lines[block.first + 1], lines[block.last - 1]]
  if (top === undefined || end === undefined || block.last - block.first < 2) return
  settle(draft.outline, top, false)
  markQuote(draft, top)
  const { under } = hangAnnounced(draft.hanging, top)
  draft.passages.push({ kind: 'code', span: [top.from, end.to], ...placeOf(draft, top, under) })
  draft.hanging.lead = draft.hanging.question = null
}

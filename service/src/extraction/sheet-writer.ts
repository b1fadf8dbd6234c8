/**
 * Writes the rows of sheets as text: neighbouring rows are one table, an empty row ends it, and a row with a single cell above a table is a
 * line of its own. Notes where each table stands, so that a place in the text leads back to its cell.
 */
import { MAX_TABLE_CELLS, MAX_BLOCKS, MAX_CELLS, MAX_COLUMN_RUNS, MAX_SHEETS } from './bounds.ts'
import { ExtractionFailure } from './failure.ts'
import type { TextBuilder } from './text-builder.ts'
import { shortenSheetName } from '../domain/file-layout.ts'
import type { FileLayout, TableBlock } from '../domain/file-layout.ts'

/** The text of each column that has any. */
export type SheetRow = ReadonlyMap<number, string>

export interface SheetWriter {
  /** Begins a sheet; one without a name has no heading. */
  sheet(name: string): void
  /** Rows come in their order. */
  row(index: number, cells: SheetRow): void
  /** Call it once after the last row. */
  layout(): FileLayout
}

interface Pending {
  readonly first: number
  readonly rows: SheetRow[]
}

export function createSheetWriter(builder: TextBuilder): SheetWriter {
  const sheets: string[] = []
  const sheetStarts: number[] = []
  const blocks: TableBlock[] = []
  let pending: Pending | undefined
  let cellsSeen = 0
  let columnRuns = 0

  function write(first: number, rows: readonly SheetRow[]): void {
    const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))].toSorted((a, b) => a - b)
    if (columns.length * rows.length > MAX_TABLE_CELLS) throw new ExtractionFailure('too_many_parts')
    const isTable = columns.length > 1
    const start = builder.addApart(isTable ? drawTable(rows, columns) : drawLines(rows), '\n\n')
    const runs = runsOf(columns)
    // For a table beyond the bounds, only the sheet is known.
    if (blocks.length >= MAX_BLOCKS || columnRuns + runs.length > MAX_COLUMN_RUNS) return
    columnRuns += runs.length
    const place = { start, end: builder.length(), sheet: Math.max(0, sheets.length - 1), row: first }
    blocks.push({ ...place, columns: runs, isTable })
  }

  function flush(): void {
    if (!pending) return
    const { first, rows } = pending
    pending = undefined
    const titles = countTitles(rows)
    for (const [at, row] of rows.slice(0, titles).entries()) write(first + at, [row])
    if (titles < rows.length) write(first + titles, rows.slice(titles))
  }

  return {
    sheet(rawName) {
      flush()
      const name = shortenSheetName(rawName)
      if (sheets.length >= MAX_SHEETS) throw new ExtractionFailure('too_many_parts')
      sheets.push(name)
      sheetStarts.push(name === '' ? builder.length() : builder.addApart(`# ${oneLine(name)}`, '\n\n'))
    },
    row(index, raw) {
      const cells = new Map(
        [...raw].map(([column, text]) => [column, oneLine(text)] as const).filter(([, text]) => text !== ''),
      )
      if (cells.size === 0) return
      cellsSeen += cells.size
      if (cellsSeen > MAX_CELLS) throw new ExtractionFailure('too_many_parts')
      if (pending && index !== pending.first + pending.rows.length) flush()
      pending ??= { first: index, rows: [] }
      pending.rows.push(cells)
    },
    layout() {
      flush()
      return { kind: 'sheets', starts: [], sheets, sheetStarts, blocks, unread: [] }
    },
  }
}

/** Rows of one cell above a wider one. Below it they belong to the table. */
function countTitles(rows: readonly SheetRow[]): number {
  const table = rows.findIndex((row) => row.size > 1)
  return table === -1 ? 0 : table
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '/').trim()
}

function drawTable(rows: readonly SheetRow[], columns: readonly number[]): string {
  const lines = rows.map((row) => `| ${columns.map((column) => row.get(column) ?? '').join(' | ')} |`)
  const [head = '', ...body] = lines
  return [head, `|${' --- |'.repeat(columns.length)}`, ...body].join('\n')
}

/** Apart from one another: the words of two cells are two paragraphs. */
function drawLines(rows: readonly SheetRow[]): string {
  return rows.flatMap((row) => [...row.values()]).join('\n\n')
}

function runsOf(columns: readonly number[]): [first: number, count: number][] {
  const runs: [number, number][] = []
  for (const column of columns) {
    const last = runs.at(-1)
    if (last && column === last[0] + last[1]) last[1] += 1
    else runs.push([column, 1])
  }
  return runs
}

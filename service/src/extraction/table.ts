/** Writes tables in the markup that the readers know. */
import { MAX_TABLE_CELLS } from './bounds.ts'
import { ExtractionFailure } from './failure.ts'

/** A column of single cells is layout, not a table. */
export function drawTable(rows: readonly (readonly string[])[]): string[] {
  const cells = rows
    .map((row) => row.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '/').trim()))
    .filter((row) => row.some((cell) => cell !== ''))
  const width = cells.reduce((widest, row) => Math.max(widest, row.length), 0)
  if (width * cells.length > MAX_TABLE_CELLS) throw new ExtractionFailure('too_many_parts')
  if (width < 2) return cells.flatMap((row) => row.filter((cell) => cell !== ''))
  const lines = cells.map(
    (row) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? '').join(' | ')} |`,
  )
  const [head = '', ...body] = lines
  return [[head, `|${' --- |'.repeat(width)}`, ...body].join('\n')]
}

/** Plain tables for a terminal. */
import { ratio } from './scores.ts'
import type { Share } from './scores.ts'

export type Print = (line: string) => void

/** `.85 (17/20)`; a dash where there is nothing to divide by. */
export function showShare(share: Share): string {
  return `${showRatio(ratio(share))} (${share.part}/${share.whole})`
}

export function showRatio(value: number | null): string {
  return value === null ? '–' : value.toFixed(3).replace(/^0\./, '.')
}

export function printTable(print: Print, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  for (const row of rows)
    print(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}

/** A quote on one line, shortened in the middle. */
export function shorten(quote: string, most = 160): string {
  const line = quote.replaceAll(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 41)} … ${line.slice(-38)}`
}

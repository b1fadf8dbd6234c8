/** The output of a command: a table for people, one JSON value for programs. No cell can steer the terminal. */
import { oneLine, toPlainJson } from './words.ts'

export interface OutputOptions {
  readonly json?: boolean
}

/** The option of commands that print one JSON value, as `option` takes it. */
export const JSON_OUTPUT = ['--json', 'print JSON'] as const

export type Cell = string | number | boolean | null

export function printRecord(record: Readonly<Record<string, Cell>>, { json }: OutputOptions): void {
  if (json) return printJson(record)
  const width = Math.max(...Object.keys(record).map((name) => name.length))
  for (const [name, value] of Object.entries(record))
    process.stdout.write(`${name.padEnd(width)}  ${drawCell(value)}\n`)
}

export function printTable(rows: readonly Readonly<Record<string, Cell>>[], { json }: OutputOptions): void {
  if (json) return printJson(rows)
  const [first] = rows
  if (!first) return void process.stdout.write('(none)\n')
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => drawCell(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  for (const line of lines)
    process.stdout.write(
      `${line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
}

function drawCell(value: Cell | undefined): string {
  return oneLine(String(value ?? '-'))
}

export function printJson(value: unknown): void {
  process.stdout.write(`${toPlainJson(value)}\n`)
}

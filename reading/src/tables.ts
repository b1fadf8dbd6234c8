/**
 * Finds the tables of a sheet before anything else is read. Every line belongs to at most one run of candidates and each
 * run is judged once, so that rows which turn out to be no table cost no second look.
 */
import { lineBelow } from './lines.ts'
import type { Line, Sheet } from './lines.ts'
import { isRuler } from './rulers.ts'
import { readAlignedTable } from './tables/aligned.ts'
import { columnOf, isOtherThanRow, splitChunks, widest } from './tables/chunks.ts'
import type { DraftTable } from './tables/draft.ts'
import { isPipeLine, readPipeTable } from './tables/pipe.ts'
import { readCsvTable, readTabTable } from './tables/separated.ts'

type Candidate = 'pipe' | 'tab' | 'aligned' | 'semicolon' | 'comma'

/** By the line each table begins with. */
export function findTables(sheet: Sheet): ReadonlyMap<number, DraftTable> {
  const tables = new Map<number, DraftTable>()
  for (let index = 0; index < sheet.lines.length;) {
    const kind = candidateKind(sheet, index)
    const last = kind === null ? index : runEnd(sheet, index, kind)
    const table = kind === null || last === index ? null : readTable(sheet, index, last, kind)
    if (table !== null) tables.set(table.first, table)
    index = last + 1
  }
  return tables
}

function candidateKind(sheet: Sheet, index: number): Candidate | null {
  const line = sheet.lines[index]
  if (line === undefined || lineBelow(sheet, index) === undefined) return null
  if (isPipeLine(sheet.text, line)) return 'pipe'
  if (line.tabs > 0) return 'tab'
  if (isAlignedRow(sheet, line)) return 'aligned'
  if (line.semicolons > 1) return 'semicolon'
  return line.commas > 1 ? 'comma' : null
}

function readTable(sheet: Sheet, first: number, last: number, kind: Candidate): DraftTable | null {
  switch (kind) {
    case 'pipe':
      return readPipeTable(sheet, first, last)
    case 'tab':
      return readTabTable(sheet, first, last)
    case 'aligned':
      // The first line may be a heading with a wide space in it.
      return readAlignedTable(sheet, first, last) ?? readAlignedTable(sheet, first + 1, last)
    case 'semicolon':
      return readCsvTable(sheet, first, last, ';')
    case 'comma':
      return readCsvTable(sheet, first, last, ',')
  }
}

/** The last line of the unbroken run of candidates of one kind. */
function runEnd(sheet: Sheet, first: number, kind: Candidate): number {
  let last = first
  for (let next = lineBelow(sheet, last); next !== undefined; next = lineBelow(sheet, last)) {
    if (!belongs(sheet, last + 1, next, kind)) break
    last += 1
  }
  return last
}

function belongs(sheet: Sheet, index: number, line: Line, kind: Candidate): boolean {
  switch (kind) {
    case 'pipe':
      return isPipeLine(sheet.text, line)
    case 'tab':
      return line.tabs > 0
    case 'aligned':
      return isAlignedRow(sheet, line) || isRuler(sheet.text, line) || isStub(sheet, index, line)
    case 'semicolon':
      return line.semicolons > 1
    case 'comma':
      return line.commas > 1
  }
}

function isAlignedRow(sheet: Sheet, line: Line): boolean {
  if (!line.wide || line.indent + line.to - line.from > widest || line.pipes > 0) return false
  const chunks = splitChunks(sheet.text, line)
  return chunks.length > 1 && !isOtherThanRow(sheet.text, line, chunks)
}

/** A row with a name and no values, above rows that have some: it must end where their first column does. */
function isStub(sheet: Sheet, index: number, line: Line): boolean {
  const [above, below] = [sheet.lines[index - 1], lineBelow(sheet, index)]
  if (above === undefined || below === undefined || line.wide || line.to - line.from > 60) return false
  if (!isAlignedRow(sheet, above) || !isAlignedRow(sheet, below)) return false
  const second = splitChunks(sheet.text, below)[1]
  return second !== undefined && columnOf(line, line.to) < columnOf(below, second[0])
}

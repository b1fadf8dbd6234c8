/**
 * Whether a cell holds a value or names a column: the way to tell a header row from the rows below it where no ruler
 * does. Unsure, no row is called a header: a value under a wrong name is worse than one without.
 */
import type { TableCell, DraftRow } from './draft.ts'

const amount = /^[<>≤≥~≈+(−–-]{0,2}\s?(?:[A-Z]{3}\s?|[$€£¥]\s?)?[(−-]?\d/
const nothing = /^(?:[-–—]|n\/?a|nil|none)$/i
/** `2022`, `FY2023`, `Q1 2024`, `31.12.2023` and `20 mg` name columns as often as they fill them. */
const period =
  /^(?:(?:FY|CY|[QH][1-4])\s?'?)?(?:(?:19|20)?\d{2}(?:\/\d{2,4})?)?[AEF]?$|^\d{1,4}\s?[a-z]{1,3}$/

export function isValue(text: string, cell: TableCell): boolean {
  if (cell === null || cell[1] - cell[0] > 40) return false
  const words = text.slice(cell[0], cell[1])
  return amount.test(words) || nothing.test(words)
}

function isPlainValue(text: string, cell: TableCell): boolean {
  return cell !== null && isValue(text, cell) && !period.test(text.slice(cell[0], cell[1]))
}

/** The first row names columns when it holds no value of its own and some row below does. */
export function withHeader(text: string, rows: readonly DraftRow[]): DraftRow[] {
  const [first, ...body] = rows
  if (first === undefined) return []
  const names =
    first.cells.slice(1).every((cell) => !isPlainValue(text, cell)) &&
    !isPlainValue(text, first.cells[0] ?? null)
  const filled = body.some((row) => row.cells.some((cell) => isPlainValue(text, cell)))
  return [{ ...first, header: names && filled }, ...body]
}

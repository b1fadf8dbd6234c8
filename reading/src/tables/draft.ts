/** A table as its recogniser found it: by lines, before it has a place in the document. */
import type { Span, TableKind } from '../format.ts'

export type TableCell = Span | null

export interface DraftRow {
  readonly line: number
  readonly span: Span
  readonly cells: readonly TableCell[]
  readonly header: boolean
  /** Column of the first character, for rows that stand further in than the row they belong to. */
  readonly indent: number
}

export interface DraftTable {
  readonly kind: TableKind
  readonly first: number
  readonly last: number
  readonly rows: readonly DraftRow[]
  /** Lines between the rows that only draw. */
  readonly rulers: readonly number[]
}

/** More cells than this in a row is no table a person wrote. */
export const maxCells = 256

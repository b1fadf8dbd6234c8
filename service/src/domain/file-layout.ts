/**
 * Files that are sent instead of text: their types, the faults for which they are refused, and the location of a range
 * of text in a file.
 */
import { countCharacters } from '@concord/reading/src/code-points.ts'

export const FILE_TYPES = ['pdf', 'docx', 'xlsx', 'pptx', 'html', 'md', 'csv', 'eml', 'txt'] as const
export type FileType = (typeof FILE_TYPES)[number]

/** The maximum length of the text of one file, in code points. */
export const MAX_FILE_CHARACTERS = 2_000_000

/** The reasons why a file cannot be read. Each is a `code` in the response that refuses the file. */
export type FileFault =
  | 'wrong_type'
  | 'damaged'
  | 'encrypted'
  | 'legacy_format'
  | 'not_utf8'
  | 'no_text'
  | 'too_many_parts'
  | 'expands_too_much'
  | 'forbidden_markup'
  | 'text_too_long'
  | 'time_exceeded'
  | 'memory_exceeded'
  | 'crashed'

/** A part of a file that was not read: a page or slide without text, or an attachment. */
export interface UnreadFilePart {
  readonly part: 'page' | 'slide' | 'attachment'
  /** The first is 1. */
  readonly number: number
}

/**
 * A table of a sheet in the text: its first and last code point, its sheet, the row of its first line, and the columns
 * of its cells as runs of first column and count. Rows and columns count from 0.
 */
export interface TableBlock {
  readonly start: number
  readonly end: number
  readonly sheet: number
  readonly row: number
  readonly columns: readonly (readonly [first: number, count: number])[]
  /** Whether the block is written as a table. A block of one column is written as one paragraph a row. */
  readonly isTable: boolean
}

/** The maximum length of a layout as JSON. The bounds of the extraction keep every layout below it. */
export const MAX_LAYOUT_BYTES = 1_048_576

export interface FileLayout {
  readonly kind: 'pages' | 'slides' | 'sheets' | 'headings' | 'lines' | 'headings_and_lines'
  /** The start of each page or slide, in code points. */
  readonly starts: readonly number[]
  /** Names, each one short line; empty for the one table of a CSV file. */
  readonly sheets: readonly string[]
  /** The start of each sheet, in code points. */
  readonly sheetStarts: readonly number[]
  readonly blocks: readonly TableBlock[]
  readonly unread: readonly UnreadFilePart[]
}

export const PLAIN_LAYOUT: FileLayout = {
  kind: 'lines',
  starts: [],
  sheets: [],
  sheetStarts: [],
  blocks: [],
  unread: [],
}

export interface ExtractedText {
  readonly text: string
  readonly layout: FileLayout
}

export type Extraction = ExtractedText | { readonly fault: FileFault }

/** The location of a range of text in a file. Fields that the type of the file does not have are null. */
export interface FileLocation {
  readonly page: number | null
  readonly slide: number | null
  readonly sheet: string | null
  readonly cell: string | null
  readonly heading: string | null
  /** The first is 1. */
  readonly line: number | null
}

const NOWHERE: FileLocation = {
  page: null,
  slide: null,
  sheet: null,
  cell: null,
  heading: null,
  line: null,
}

/** Returns the function that locates an offset, in code points, of this text. */
export function createLocator(text: string, layout: FileLayout): (offset: number) => FileLocation | null {
  switch (layout.kind) {
    case 'pages':
      return (offset) => ({ ...NOWHERE, page: lastAt(layout.starts, offset) + 1 })
    case 'slides':
      return (offset) => ({ ...NOWHERE, slide: lastAt(layout.starts, offset) + 1 })
    case 'sheets':
      return createSheetLocator(text, layout)
    case 'headings':
      return createHeadingLocator(text)
    case 'lines':
      return createLineLocator(text, () => null)
    case 'headings_and_lines':
      return createLineLocator(text, createHeadingLocator(text))
  }
}

/** Returns the index of the last start at or before the offset, or of the first start if there is none. */
function lastAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

const SURROGATE = /[\ud800-\udbff]/

/** Converts code points to UTF-16 units. A text without surrogates needs no table. */
function createUnits(text: string): (offset: number) => number {
  if (!SURROGATE.test(text)) return (offset) => offset
  const units = new Uint32Array(text.length + 1)
  let points = 0
  for (let at = 0; at < text.length; at += 1) {
    units[points] = at
    points += 1
    const code = text.charCodeAt(at)
    if (code >= 0xd800 && code <= 0xdbff) at += 1
  }
  units[points] = text.length
  return (offset) => units[Math.min(offset, points)] ?? text.length
}

function createSheetLocator(
  text: string,
  { sheets, sheetStarts, blocks }: FileLayout,
): (offset: number) => FileLocation {
  const units = createUnits(text)
  const lines = findLineStarts(text)
  const blockStarts = blocks.map(({ start }) => start)
  const names = sheets.map(shortenSheetName)
  const name = (sheet: number) => names[sheet] || null
  return (offset) => {
    const block = blocks[lastAt(blockStarts, offset)]
    if (!block || offset < block.start || offset >= block.end)
      return { ...NOWHERE, sheet: name(lastAt(sheetStarts, offset)) }
    const at = units(offset)
    const line = lastAt(lines, at)
    const before = text.slice(lines[line], at)
    const cell = cellAt(block, line - lastAt(lines, units(block.start)), before)
    return { ...NOWHERE, sheet: name(block.sheet), cell }
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The second line of a table separates the head from the rows. An empty line separates two paragraphs. */
function cellAt({ row, columns, isTable }: TableBlock, line: number, before: string): string {
  const cells = isTable ? before.split('|').length - 2 : 0
  const rowsBefore = isTable ? line - (line > 0 ? 1 : 0) : Math.floor(line / 2)
  return `${columnName(columnAt(columns, Math.max(0, cells)))}${row + rowsBefore + 1}`
}

function columnAt(runs: TableBlock['columns'], index: number): number {
  let left = index
  for (const [first, count] of runs) {
    if (left < count) return first + left
    left -= count
  }
  return 0
}

/** Names columns as spreadsheets do: A to Z, then AA. */
function columnName(column: number): string {
  let name = ''
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name
  return name
}

/** The maximum length of the name of a heading or a sheet, because each claim below it repeats the name. */
const MAX_NAME = 200

function shortenName(name: string): string {
  return name.slice(0, MAX_NAME).toWellFormed().trim()
}

/** Returns the name of a sheet as one line of at most 200 characters. Excel allows 31. */
export function shortenSheetName(name: string): string {
  return shortenName(name.replaceAll(/\s+/g, ' ').trim())
}

function createHeadingLocator(text: string): (offset: number) => FileLocation | null {
  const starts: number[] = []
  const names: string[] = []
  let [points, at] = [0, 0]
  for (const found of text.matchAll(/^#{1,6} (.+)$/gm)) {
    points += countCharacters(text, [at, found.index])
    at = found.index
    starts.push(points)
    names.push(shortenName(found[1] ?? ''))
  }
  return (offset) => {
    if (offset < (starts[0] ?? Infinity)) return null
    return { ...NOWHERE, heading: names[lastAt(starts, offset)] ?? null }
  }
}

function createLineLocator(
  text: string,
  findHeading: (offset: number) => FileLocation | null,
): (offset: number) => FileLocation {
  const units = createUnits(text)
  const lines = findLineStarts(text)
  return (offset) => ({
    ...(findHeading(offset) ?? NOWHERE),
    line: lastAt(lines, units(offset)) + 1,
  })
}

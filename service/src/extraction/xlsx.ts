/**
 * Converts spreadsheets (XLSX) to text: one heading for each sheet, and its cells as tables. Formulas are not computed;
 * their stored values are used.
 */
import type { FileLayout } from '../domain/file-layout.ts'
import { ExtractionFailure } from './failure.ts'
import type { Zip } from './zip.ts'
import { createSheetWriter } from './sheet-writer.ts'
import type { SheetWriter } from './sheet-writer.ts'
import type { TextBuilder } from './text-builder.ts'
import { formatNumber, numberFormatOf, PLAIN_NUMBER } from './xlsx-format.ts'
import type { NumberFormat } from './xlsx-format.ts'
import { readRelations, readXml, relationIdOf } from './xml.ts'

export function extractXlsx(zip: Zip, builder: TextBuilder): FileLayout {
  const { sheets, isFrom1904 } = readWorkbook(zip)
  const relations = readRelations(zip.readXml('xl/_rels/workbook.xml.rels'), 'xl')
  const book: Workbook = {
    strings: readSharedStrings(zip.readXml('xl/sharedStrings.xml')),
    formats: readFormats(zip.readXml('xl/styles.xml')),
    isFrom1904,
  }
  const writer = createSheetWriter(builder)
  for (const { name, relationId } of sheets) {
    const relation = relations.get(relationId)
    if (relation?.type !== 'worksheet') continue
    const xml = zip.readXml(relation.target)
    if (xml === undefined) throw new ExtractionFailure('damaged')
    writer.sheet(name)
    readSheet(xml, book, writer)
  }
  return writer.layout()
}

interface Workbook {
  readonly strings: readonly string[]
  /** By style number. */
  readonly formats: readonly NumberFormat[]
  readonly isFrom1904: boolean
}

function readWorkbook(zip: Zip) {
  const xml = zip.readXml('xl/workbook.xml')
  if (xml === undefined) throw new ExtractionFailure('wrong_type')
  const sheets: { name: string; relationId: string }[] = []
  let isFrom1904 = false
  readXml(xml, {
    open(tag, attributes) {
      if (tag === 'workbookPr') isFrom1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '')
      if (tag !== 'sheet') return
      sheets.push({ name: attributes['name'] ?? '', relationId: relationIdOf(attributes) ?? '' })
    },
  })
  return { sheets, isFrom1904 }
}

/** Phonetic readings of a word (`rPh`) are dropped. */
function readSharedStrings(xml: string | undefined): string[] {
  const strings: string[] = []
  if (xml === undefined) return strings
  let [text, inText, phonetic] = ['', false, 0]
  readXml(xml, {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 't') inText = true
      else if (name === 'rPh') phonetic += 1
    },
    text(part) {
      if (inText && phonetic === 0) text += part
    },
    close(name) {
      if (name === 'si') strings.push(text)
      else if (name === 't') inText = false
      else if (name === 'rPh') phonetic -= 1
    },
  })
  return strings
}

function readFormats(xml: string | undefined): NumberFormat[] {
  const formats: NumberFormat[] = []
  if (xml === undefined) return formats
  const codes = new Map<number, string>()
  let inCells = false
  readXml(xml, {
    open(name, { numFmtId: id = '0', formatCode: code }) {
      if (name === 'numFmt' && code !== undefined) codes.set(Number(id), code)
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) formats.push(numberFormatOf(Number(id), codes.get(Number(id))))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return formats
}

interface Cell {
  readonly column: number
  readonly type: string
  readonly style: number
  text: string
}

/** A cell without a position follows the previous cell. */
function readSheet(xml: string, book: Workbook, writer: SheetWriter): void {
  let row = -1
  let cells = new Map<number, string>()
  let cell: Cell | undefined
  let column = -1
  let inValue = false
  readXml(xml, {
    open(name, attributes) {
      if (name === 'row') {
        row = Math.max(row + 1, rowOf(attributes['r']) ?? row + 1)
        cells = new Map()
        column = -1
      } else if (name === 'c') {
        column = columnOf(attributes['r']) ?? column + 1
        cell = { column, type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? 0), text: '' }
      } else if (name === 'v' || name === 't') inValue = true
    },
    text(part) {
      if (inValue && cell) cell.text += part
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false
      else if (name === 'c' && cell) {
        if (cell.text !== '') cells.set(cell.column, showCell(cell, book))
        cell = undefined
      } else if (name === 'row') writer.row(row, cells)
    },
  })
}

const LAST_ROW = 1_048_576
const LAST_COLUMN = 16_384

function rowOf(reference: string | undefined): number | undefined {
  const row = Number(reference)
  if (reference === undefined) return undefined
  if (!Number.isInteger(row) || row < 1 || row > LAST_ROW) throw new ExtractionFailure('damaged')
  return row - 1
}

function columnOf(reference: string | undefined): number | undefined {
  if (reference === undefined) return undefined
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? ''
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  if (column < 1 || column > LAST_COLUMN) throw new ExtractionFailure('damaged')
  return column - 1
}

function showCell({ type, style, text }: Cell, { strings, formats, isFrom1904 }: Workbook): string {
  switch (type) {
    case 's':
      return strings[Number(text)] ?? ''
    case 'b':
      return text === '1' ? 'TRUE' : 'FALSE'
    case 'n': {
      const value = Number(text)
      return Number.isFinite(value) ? formatNumber(value, formats[style] ?? PLAIN_NUMBER, isFrom1904) : text
    }
    default:
      return text
  }
}

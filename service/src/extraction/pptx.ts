/** Converts presentations (PPTX) to text: slides in order, with titles as headings, tables, and speaker notes. */
import type { FileLayout, UnreadFilePart } from '../domain/file-layout.ts'
import { MAX_SLIDES, MAX_UNREAD } from './bounds.ts'
import { ExtractionFailure } from './failure.ts'
import { drawTable } from './table.ts'
import type { TextBuilder } from './text-builder.ts'
import { readRelations, readXml, relationIdOf } from './xml.ts'
import type { Zip } from './zip.ts'

const SLIDE_BREAK = '\n\f\n'

export function extractPptx(zip: Zip, builder: TextBuilder): FileLayout {
  const starts: number[] = []
  const unread: UnreadFilePart[] = []
  for (const [at, part] of slidesOf(zip).entries()) {
    const xml = zip.readXml(part)
    if (xml === undefined) throw new ExtractionFailure('damaged')
    const { blocks, hasPicture } = readSlide(xml)
    const notes = readNotes(zip, part)
    const text = [...blocks, ...(notes === '' ? [] : [`Notes: ${notes}`])].join('\n\n')
    starts.push(text === '' ? builder.length() : builder.addApart(text, SLIDE_BREAK))
    if (text === '' && hasPicture && unread.length < MAX_UNREAD)
      unread.push({ part: 'slide', number: at + 1 })
  }
  return { kind: 'slides', starts, sheets: [], sheetStarts: [], blocks: [], unread }
}

function slidesOf(zip: Zip): string[] {
  const xml = zip.readXml('ppt/presentation.xml')
  if (xml === undefined) throw new ExtractionFailure('wrong_type')
  const relations = readRelations(zip.readXml('ppt/_rels/presentation.xml.rels'), 'ppt')
  const slides: string[] = []
  readXml(xml, {
    open(name, attributes) {
      if (name !== 'sldId') return
      const relation = relations.get(relationIdOf(attributes) ?? '')
      if (relation?.type === 'slide') slides.push(relation.target)
    },
  })
  if (slides.length > MAX_SLIDES) throw new ExtractionFailure('too_many_parts')
  return slides
}

interface Slide {
  readonly blocks: readonly string[]
  readonly hasPicture: boolean
}

/** Placeholders that repeat on every slide are dropped. */
const REPEATED = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg'])

function readSlide(xml: string): Slide {
  const blocks: string[] = []
  const reader = createShapeReader(blocks)
  let hasPicture = false
  readXml(xml, {
    open(name, attributes) {
      if (name === 'pic') hasPicture = true
      reader.open(name, attributes)
    },
    text: reader.text,
    close: reader.close,
  })
  return { blocks, hasPicture }
}

/** Collects the paragraphs of shapes and the cells of tables. */
function createShapeReader(blocks: string[]) {
  let [paragraph, inText, placeholder] = ['', false, '']
  let table: string[][] | undefined
  const end = () => {
    const text = paragraph.replaceAll(/[^\S\n]+/g, ' ').trim()
    paragraph = ''
    if (text === '' || REPEATED.has(placeholder)) return
    const row = table?.at(-1)
    if (row && row.length > 0) row[row.length - 1] += ` ${text}`
    else blocks.push(/^(?:ctrT|t)itle$/.test(placeholder) ? `## ${text.replaceAll('\n', ' ')}` : text)
  }
  return {
    open(name: string, { type = '' }: Readonly<Record<string, string>>): void {
      if (name === 'sp') placeholder = ''
      else if (name === 'ph') placeholder = type
      else if (name === 'tbl') table = []
      else if (name === 'tr') table?.push([])
      else if (name === 'tc') table?.at(-1)?.push('')
      else if (name === 't') inText = true
      else if (name === 'br') paragraph += '\n'
      else if (name === 'tab') paragraph += ' '
    },
    text(part: string): void {
      if (inText) paragraph += part
    },
    close(name: string): void {
      if (name === 't') inText = false
      else if (name === 'p') end()
      else if (name === 'tbl' && table) {
        for (const block of drawTable(table)) blocks.push(block)
        table = undefined
      }
    },
  }
}

function readNotes(zip: Zip, slide: string): string {
  const cut = slide.lastIndexOf('/')
  const folder = slide.slice(0, cut)
  const relations = readRelations(zip.readXml(`${folder}/_rels/${slide.slice(cut + 1)}.rels`), folder)
  const notes = [...relations.values()].find(({ type }) => type === 'notesSlide')
  const xml = notes && zip.readXml(notes.target)
  return xml === undefined ? '' : readSlide(xml).blocks.join('\n')
}

/** Converts PDF to text line by line, with an empty line for a larger gap, and a form feed between pages. */
import { getDocumentProxy } from 'unpdf'
import type { FileLayout, UnreadFilePart } from '../domain/file-layout.ts'
import { MAX_PAGES, MAX_UNREAD } from './bounds.ts'
import { ExtractionFailure } from './failure.ts'
import type { TextBuilder } from './text-builder.ts'

/** One run of characters on a page, from PDF.js. */
interface Run {
  readonly str: string
  readonly height: number
  readonly transform: readonly number[]
  readonly hasEOL: boolean
}

const PAGE_BREAK = '\n\f\n'

/** A page without text is a scan or empty, and counts as unread. */
export async function extractPdf(bytes: Uint8Array, builder: TextBuilder): Promise<FileLayout> {
  const pdf = await openPdf(bytes)
  try {
    if (pdf.numPages > MAX_PAGES) throw new ExtractionFailure('too_many_parts')
    const starts: number[] = []
    const unread: UnreadFilePart[] = []
    for (let number = 1; number <= pdf.numPages; number += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one page at a time keeps memory small
      const text = await readPage(await pdf.getPage(number))
      starts.push(text === '' ? builder.length() : builder.addApart(text, PAGE_BREAK))
      if (text === '' && unread.length < MAX_UNREAD) unread.push({ part: 'page', number })
    }
    return { kind: 'pages', starts, sheets: [], sheetStarts: [], blocks: [], unread }
  } finally {
    await pdf.cleanup()
  }
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  try {
    // PDF.js takes ownership of the buffer.
    return await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 })
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    throw new ExtractionFailure(isLocked ? 'encrypted' : 'damaged', error)
  }
}

async function readPage(page: Awaited<ReturnType<Pdf['getPage']>>): Promise<string> {
  const content = await page.getTextContent()
  const text = pageText(content.items.filter((item): item is typeof item & Run => 'str' in item))
  page.cleanup()
  return text
}

const PARAGRAPH_GAP = 1.7

function pageText(runs: readonly Run[]): string {
  let text = ''
  let line = ''
  let lastY: number | undefined
  let height = 0
  const end = () => {
    text += `${line.trimEnd()}\n`
    line = ''
  }
  for (const run of runs) {
    const y = run.transform[5] ?? 0
    if (line.trim() === '' && run.str.trim() !== '') {
      if (lastY !== undefined && lastY - y > PARAGRAPH_GAP * Math.max(height, run.height)) text += '\n'
      lastY = y
      height = run.height
    }
    line += run.str
    if (run.hasEOL) end()
  }
  end()
  return text.replaceAll(/\n{3,}/g, '\n\n').trim()
}

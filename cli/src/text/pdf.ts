/** PDF to text: line by line, a blank line where there is more than a line of room, and a form feed between pages. */
import { getDocumentProxy } from 'unpdf'

/** One run of characters on a page, as PDF.js tells of it. */
interface Run {
  readonly str: string
  readonly height: number
  readonly transform: readonly number[]
  readonly hasEOL: boolean
}

const PAGE_BREAK = '\n\f\n'

export async function pdfToText(bytes: Uint8Array): Promise<string> {
  // It takes the memory it is given for itself.
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 })
  try {
    const pages: string[] = []
    for (let number = 1; number <= pdf.numPages; number += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one page at a time keeps memory small
      const content = await (await pdf.getPage(number)).getTextContent()
      pages.push(pageText(content.items.filter((item): item is typeof item & Run => 'str' in item)))
    }
    if (pages.every((page) => page === ''))
      throw new Error('There is no text in it; it may be a scan, which has to go through OCR first.')
    return pages.join(PAGE_BREAK).trim()
  } finally {
    await pdf.cleanup()
  }
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

/** Reads a file as text. The result is the text or an `ExtractionFailure`. The process limits time and memory. */
import { PLAIN_LAYOUT } from '../domain/file-layout.ts'
import type { ExtractedText, FileLayout, FileType } from '../domain/file-layout.ts'
import { ExtractionFailure } from './failure.ts'
import { createTextBuilder } from './text-builder.ts'
import type { TextBuilder } from './text-builder.ts'
import { requireType } from './signatures.ts'

export async function extractFile(type: FileType, bytes: Uint8Array): Promise<ExtractedText> {
  const builder = createTextBuilder()
  try {
    requireType(type, bytes)
    const layout = await extract(type, bytes, builder)
    const text = builder.text()
    if (text.trim() === '') throw new ExtractionFailure('no_text')
    return { text, layout }
  } catch (error) {
    if (error instanceof ExtractionFailure) throw error
    // Libraries throw arbitrary errors for unexpected input.
    throw new ExtractionFailure('damaged', error)
  }
}

/** The reader of a format is loaded with the first file of the format. */
async function extract(type: FileType, bytes: Uint8Array, builder: TextBuilder): Promise<FileLayout> {
  switch (type) {
    case 'pdf':
      return (await import('./pdf.ts')).extractPdf(bytes, builder)
    case 'docx':
      return (await import('./docx.ts')).extractDocx(bytes, builder)
    case 'xlsx': {
      const { openZip } = await import('./zip.ts')
      return (await import('./xlsx.ts')).extractXlsx(openZip(bytes), builder)
    }
    case 'pptx': {
      const { openZip } = await import('./zip.ts')
      return (await import('./pptx.ts')).extractPptx(openZip(bytes), builder)
    }
    case 'html': {
      const { decodeHtml, htmlToText } = await import('./html.ts')
      builder.add(htmlToText(decodeHtml(bytes)))
      return { ...PLAIN_LAYOUT, kind: 'headings' }
    }
    case 'eml':
      return (await import('./eml.ts')).extractEml(bytes, builder)
    case 'csv':
      return (await import('./csv.ts')).extractCsv(decodePlain(bytes), builder)
    case 'md':
      // Leading space is kept, so that lines of the text are lines of the file.
      builder.add(decodePlain(bytes).trimEnd())
      return { ...PLAIN_LAYOUT, kind: 'headings_and_lines' }
    case 'txt':
      builder.add(decodePlain(bytes).trimEnd())
      return PLAIN_LAYOUT
  }
}

function decodePlain(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    throw new ExtractionFailure('not_utf8', error)
  }
}

/**
 * Converts Word documents (DOCX) to text by way of HTML. Headings, lists and tables follow the styles. Macros and
 * pictures are ignored.
 */
import mammoth from 'mammoth'
import { PLAIN_LAYOUT } from '../domain/file-layout.ts'
import type { FileLayout } from '../domain/file-layout.ts'
import { ExtractionFailure } from './failure.ts'
import { htmlToText } from './html.ts'
import type { TextBuilder } from './text-builder.ts'
import { openZip } from './zip.ts'

export async function extractDocx(bytes: Uint8Array, builder: TextBuilder): Promise<FileLayout> {
  const zip = openZip(bytes)
  if (!zip.names().some((name) => name.startsWith('word/'))) throw new ExtractionFailure('wrong_type')
  zip.requireBoundedXml()
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    // Pictures have no text, and would add thousands of characters.
    { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
  )
  builder.add(htmlToText(value))
  return { ...PLAIN_LAYOUT, kind: 'headings' }
}

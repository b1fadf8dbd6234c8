/** Word documents to text, by way of HTML: their headings, lists and tables are those of the styles. */
import mammoth from 'mammoth'
import { htmlToText } from './html.ts'
import { requireBoundedXml } from './unpacked-size.ts'

export async function docxToText(bytes: Uint8Array): Promise<string> {
  requireBoundedXml(bytes)
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    // Pictures say nothing here, and would be thousands of letters.
    { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
  )
  return htmlToText(value)
}

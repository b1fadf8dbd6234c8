/** A file as text, on this machine. What reads PDF and DOCX is loaded when the first of them comes. */
import { extname } from 'node:path'

export const fileTypes = ['txt', 'md', 'html', 'pdf', 'docx'] as const
export type FileType = (typeof fileTypes)[number]

const BY_EXTENSION: Readonly<Record<string, FileType>> = {
  '.txt': 'txt',
  '.text': 'txt',
  '.md': 'md',
  '.markdown': 'md',
  '.html': 'html',
  '.htm': 'html',
  '.pdf': 'pdf',
  '.docx': 'docx',
}

export function fileTypeOf(path: string): FileType | undefined {
  return BY_EXTENSION[extname(path).toLowerCase()]
}

/** Far more than the service takes of any document, and little enough to convert. */
const MAX_FILE_BYTES = 256 * 1_048_576

/** Throws with words for the person who has the file. */
export async function readText(type: FileType, bytes: Uint8Array): Promise<string> {
  if (bytes.length > MAX_FILE_BYTES)
    throw new Error(`It is larger than ${MAX_FILE_BYTES / 1_048_576} MiB; split it.`)
  const text = (await convert(type, bytes)).trim()
  if (text === '') throw new Error('There is no text in it.')
  return text
}

async function convert(type: FileType, bytes: Uint8Array): Promise<string> {
  switch (type) {
    case 'pdf':
      return (await import('./pdf.ts')).pdfToText(bytes)
    case 'docx':
      return (await import('./docx.ts')).docxToText(bytes)
    case 'html': {
      const { decodeHtml, htmlToText } = await import('./html.ts')
      return htmlToText(decodeHtml(bytes))
    }
    case 'txt':
    case 'md':
      return decodePlain(bytes)
  }
}

function decodePlain(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new Error('It is not UTF-8; save it as that first.')
  }
}

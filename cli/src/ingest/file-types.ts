/** The types of files that the service reads, and which texts need no reading there. */
import { extname } from 'node:path'
import type { FileType } from '@concord/client'

export const fileTypes = [
  'txt',
  'md',
  'html',
  'pdf',
  'docx',
  'xlsx',
  'pptx',
  'csv',
  'eml',
] as const satisfies readonly FileType[]

const BY_EXTENSION: Readonly<Record<string, FileType>> = {
  ...Object.fromEntries(fileTypes.map((type) => [`.${type}`, type])),
  '.text': 'txt',
  '.markdown': 'md',
  '.htm': 'html',
}

export function fileTypeOf(path: string): FileType | undefined {
  return BY_EXTENSION[extname(path).toLowerCase()]
}

/** As long as a text may be that is sent as such, in code points. */
const MAX_TEXT_CHARACTERS = 100_000

/** The text where that can be sent as it is; undefined where the service is to read the file. Throws with words for the person who has it. */
export function readShortText(type: FileType, bytes: Uint8Array): string | undefined {
  if (type !== 'txt' && type !== 'md') return undefined
  const text = decodePlain(bytes).trim()
  if (text === '') throw new Error('There is no text in it.')
  // A code point has at most two units.
  if (text.length <= MAX_TEXT_CHARACTERS) return text
  return text.length > 2 * MAX_TEXT_CHARACTERS || Array.from(text).length > MAX_TEXT_CHARACTERS
    ? undefined
    : text
}

function decodePlain(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new Error('It is not UTF-8; save it as that first.')
  }
}

/** The messages between parent and child when a file is read: a line of JSON, then bytes. Both ends use this file. */
import type { Extraction, FileFault, FileLayout, FileType } from '../../domain/file-layout.ts'
import { MAX_FILE_CHARACTERS } from '../../domain/file-layout.ts'

const LINE_BREAK = 10

/** Four bytes a character at the most, and the layout. */
export const MAX_ANSWER_BYTES = 4 * MAX_FILE_CHARACTERS + 1_048_576

export function encodeFile(type: FileType): Buffer {
  return Buffer.from(`${JSON.stringify({ type })}\n`)
}

export interface FileTask {
  readonly type: FileType
  readonly bytes: Buffer
}

export function decodeFile(message: Buffer): FileTask {
  const { head, rest } = split(message)
  const { type }: Pick<FileTask, 'type'> = JSON.parse(head)
  return { type, bytes: rest }
}

/** The length of the text in bytes tells a whole answer from one that was cut short. */
type Head = { readonly layout: FileLayout; readonly length: number } | { readonly fault: FileFault }

export function encodeExtraction(extraction: Extraction): Buffer {
  if ('fault' in extraction) return Buffer.from(`${JSON.stringify(extraction)}\n`)
  const text = Buffer.from(extraction.text)
  const head: Head = { layout: extraction.layout, length: text.length }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), text])
}

/** Undefined where the child ended before it had said everything. */
export function decodeExtraction(message: Buffer): Extraction | undefined {
  try {
    const { head, rest } = split(message)
    const said: Head = JSON.parse(head)
    if ('fault' in said) return said
    return rest.length === said.length ? { layout: said.layout, text: rest.toString('utf8') } : undefined
  } catch {
    return undefined
  }
}

function split(message: Buffer): { head: string; rest: Buffer } {
  const at = message.indexOf(LINE_BREAK)
  if (at === -1) throw new Error('a message has no first line')
  return { head: message.toString('utf8', 0, at), rest: message.subarray(at + 1) }
}

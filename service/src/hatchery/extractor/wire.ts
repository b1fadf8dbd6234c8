/** The messages between parent and child when a file is read: a line of JSON, then bytes. Both ends use this file. */
import type { Extraction, FileFault, FileLayout, FileType } from '../../domain/file-layout.ts'
import { MAX_FILE_CHARACTERS, MAX_LAYOUT_BYTES } from '../../domain/file-layout.ts'

const LINE_BREAK = 10

/** The layout, and the length of the text. */
const MAX_HEAD_BYTES = MAX_LAYOUT_BYTES + 1_024

/** At most four bytes a character, and the layout. */
export const MAX_ANSWER_BYTES = 4 * MAX_FILE_CHARACTERS + MAX_HEAD_BYTES

export function encodeFile(type: FileType): Buffer {
  return Buffer.from(`${JSON.stringify({ type })}\n`)
}

export interface FileTask {
  readonly type: FileType
  readonly bytes: Buffer
}

export function decodeFile(message: Buffer): FileTask {
  const { head, body } = split(message)
  const { type }: Pick<FileTask, 'type'> = JSON.parse(head)
  return { type, bytes: body }
}

/** The length of the text in bytes shows whether the answer is complete. */
type AnswerHead = { readonly layout: FileLayout; readonly length: number } | { readonly fault: FileFault }

export function encodeExtraction(extraction: Extraction): Buffer {
  if ('fault' in extraction) return Buffer.from(`${JSON.stringify(extraction)}\n`)
  const text = Buffer.from(extraction.text)
  const head: AnswerHead = { layout: extraction.layout, length: text.length }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), text])
}

/** Returns undefined if the child exited before it had sent everything, or sent a layout that is too large. */
export function decodeExtraction(message: Buffer): Extraction | undefined {
  try {
    const { head, body } = split(message)
    if (head.length > MAX_HEAD_BYTES) return undefined
    const answer: AnswerHead = JSON.parse(head)
    if ('fault' in answer) return answer
    return body.length === answer.length ? { layout: answer.layout, text: body.toString('utf8') } : undefined
  } catch {
    return undefined
  }
}

function split(message: Buffer): { head: string; body: Buffer } {
  const at = message.indexOf(LINE_BREAK)
  if (at === -1) throw new Error('a message has no first line')
  return { head: message.toString('utf8', 0, at), body: message.subarray(at + 1) }
}

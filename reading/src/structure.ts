/**
 * Reads the structure of a text: header, headings, paragraphs, lists, keys and values, tables, quotations and messages,
 * with exact offsets into the text as it came. Pure, and linear in the length of the text whatever it holds.
 */
import { assemble } from './assembly.ts'
import { readBlocks } from './blocks.ts'
import type { Structure } from './format.ts'
import { readLines } from './lines.ts'
import { liftQuotes } from './quotes.ts'

export type * from './format.ts'
export { plainText } from './plain.ts'

export function readStructure(text: string): Structure {
  // @point reading.begin
  const { lines, marks } = liftQuotes(text, readLines(text))
  const sheet = { text, lines }
  return assemble(sheet, readBlocks(sheet), marks)
}

/**
 * From lines to blocks: walks down the sheet once and asks, at each line, what begins there. A recogniser either takes
 * lines or costs no more than the line it looked at.
 */
import type { Field } from './format.ts'
import { readForm } from './forms.ts'
import type { FormFound } from './forms.ts'
import { readTitle } from './header.ts'
import type { TitleFound } from './header.ts'
import { readHeading } from './headings.ts'
import { headingLetter } from './headings/lettered.ts'
import type { HeadingFound } from './headings/place.ts'
import type { Sheet } from './lines.ts'
import { readItem } from './lists.ts'
import type { ItemFound } from './lists.ts'
import { readMessage } from './messages.ts'
import { readParagraph } from './paragraphs.ts'
import type { TextFound } from './paragraphs.ts'
import { isDivider, isRuler, pairFences } from './rulers.ts'
import type { Ground } from './starts.ts'
import { findTables } from './tables.ts'
import type { DraftTable } from './tables/draft.ts'

/** Lines `first` to `last`, both included. */
interface Lines {
  readonly first: number
  readonly last: number
}

export type Block = Lines &
  (
    | ({ readonly kind: 'title' } & TitleFound)
    | ({ readonly kind: 'heading' } & HeadingFound)
    | { readonly kind: 'message'; readonly fields: readonly Field[] }
    | { readonly kind: 'table'; readonly table: DraftTable }
    | { readonly kind: 'code' }
    | { readonly kind: 'mark' }
    | ({ readonly kind: 'item' } & ItemFound)
    | ({ readonly kind: 'form' } & FormFound)
    | ({ readonly kind: 'paragraph' } & TextFound)
  )

export type BlockOf<Kind extends Block['kind']> = Extract<Block, { readonly kind: Kind }>

/** How far the walk has come, for the few recognisers that look back. */
interface Walk {
  readonly ground: Ground
  readonly index: number
  readonly previous: Block | undefined
  /** Nothing but marks so far. */
  readonly top: boolean
  readonly letter: number
}

export function readBlocks(sheet: Sheet): Block[] {
  const ground: Ground = { sheet, tables: findTables(sheet), fences: pairFences(sheet) }
  const blocks: Block[] = []
  let [index, letter, top] = [0, 0, true]
  while (index < sheet.lines.length) {
    const block = readBlock({ ground, index, previous: blocks.at(-1), top, letter })
    if (block === null) break
    blocks.push(block)
    if (block.kind !== 'mark') top = false
    if (block.kind === 'heading') letter = letterOf(sheet, block.first)
    index = block.last + 1
  }
  return blocks
}

function letterOf(sheet: Sheet, index: number): number {
  const line = sheet.lines[index]
  return line === undefined ? 0 : headingLetter(sheet.text, line)
}

function readBlock(walk: Walk): Block | null {
  return readDrawn(walk) ?? readSigned(walk) ?? readText(walk)
}

/** Reads what signs make plain: tables, fences, rulers. */
function readDrawn({ ground, index }: Walk): Block | null {
  const table = ground.tables.get(index)
  if (table !== undefined) return { kind: 'table', table, first: index, last: table.last }
  const fence = ground.fences.get(index)
  if (fence !== undefined) return { kind: 'code', first: index, last: fence }
  const line = ground.sheet.lines[index]
  const drawn = line !== undefined && (isRuler(ground.sheet.text, line) || isDivider(ground.sheet.text, line))
  return drawn ? { kind: 'mark', first: index, last: index } : null
}

/** Reads signs that give the text below it its place: title, head of a mail, heading. */
function readSigned(walk: Walk): Block | null {
  const { ground, index, previous } = walk
  const opens = isFree(walk)
  // The lines of a form were looked at together with its first one.
  const inForm = previous?.kind === 'form' && ground.sheet.lines[index]?.gap === 0
  const message = opens && !inForm ? readMessage(ground, index) : null
  if (message !== null) return { kind: 'message', first: index, ...message }
  const title = walk.top ? readTitle(ground.sheet, index) : null
  if (title !== null) return { kind: 'title', first: index, ...title }
  const greeting = previous?.kind === 'message'
  const heading = readHeading({ sheet: ground.sheet, index, opens, letter: walk.letter, greeting })
  return heading === null ? null : { kind: 'heading', first: index, ...heading }
}

function readText({ ground, index }: Walk): Block | null {
  const item = readItem(ground, index)
  if (item !== null) return { kind: 'item', first: index, ...item }
  const form = readForm(ground, index)
  if (form !== null) return { kind: 'form', first: index, ...form }
  const paragraph = readParagraph(ground, index)
  return paragraph === null ? null : { kind: 'paragraph', first: index, ...paragraph }
}

/** A line stands free after a blank line, after anything but running text, or when it is outdented. */
function isFree({ ground, index, previous }: Walk): boolean {
  const { lines } = ground.sheet
  const [line, above] = [lines[index], lines[index - 1]]
  if (line === undefined || above === undefined || line.gap > 0) return true
  if (previous?.kind !== 'paragraph' && previous?.kind !== 'item') return true
  return line.indent < above.indent - 1
}

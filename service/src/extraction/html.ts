/**
 * Converts HTML to text: headings, lists and tables in the markup that the service reads, everything else as
 * paragraphs.
 */
import { Parser } from 'htmlparser2'
import { MAX_MARKUP_DEPTH } from './bounds.ts'
import { ExtractionFailure } from './failure.ts'
import { drawTable } from './table.ts'

const SKIPPED = new Set(['head', 'script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object'])
const BLOCKS = new Set(
  'address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
)
const HEADING = /^h([1-6])$/

export function htmlToText(html: string): string {
  const page = createPage()
  const parser = new Parser({ onopentagname: page.open, ontext: page.add, onclosetag: page.close })
  parser.end(html)
  return page.text()
}

/** Detects the encoding from the bytes; UTF-8 by default. */
export function decodeHtml(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024))
  const named = /charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1]
  try {
    return new TextDecoder(named ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

interface Page {
  open(name: string): void
  add(text: string): void
  close(name: string): void
  text(): string
}

function createPage(): Page {
  const blocks: string[] = []
  let block = ''
  /** The last character of the block. Searching the block for it each time would take linear time. */
  let last = ''
  const append = (text: string) => {
    block += text
    last = text.at(-1) ?? last
  }
  const begin = (mark: string) => {
    block = mark
    last = mark.at(-1) ?? ''
  }
  let depth = 0
  let skipping = 0
  let preformatted = 0
  const table = createTable()
  const end = () => {
    const kept = block.trim()
    if (kept !== '' && !/^(?:#+|-)$/.test(kept)) blocks.push(kept)
    begin('')
  }
  return {
    open(name) {
      depth += 1
      if (depth > MAX_MARKUP_DEPTH) throw new ExtractionFailure('too_many_parts')
      if (SKIPPED.has(name)) skipping += 1
      if (name === 'pre') preformatted += 1
      if (table.open(name)) return name === 'table' ? end() : undefined
      const heading = HEADING.exec(name)
      if (heading || BLOCKS.has(name) || name === 'li') end()
      if (heading) begin(`${'#'.repeat(Number(heading[1]))} `)
      if (name === 'li') begin('- ')
      if (name === 'br') append('\n')
    },
    add(text) {
      if (skipping > 0 || table.add(text)) return
      // Leading space of a line is dropped, unless it separates two words.
      const separates = last !== '' && !/\s/.test(last)
      append(preformatted > 0 ? text : text.replaceAll(/\s+/g, ' ').replace(/^ /, separates ? ' ' : ''))
    },
    close(name) {
      depth -= 1
      if (SKIPPED.has(name)) skipping -= 1
      if (name === 'pre') preformatted -= 1
      const rows = table.close(name)
      if (rows) for (const row of rows) blocks.push(row)
      else if (BLOCKS.has(name) || HEADING.test(name) || name === 'li') end()
    },
    text() {
      end()
      return joinBlocks(blocks)
    },
  }
}

/** Items of a list follow each other directly; other blocks are separated by an empty line. */
function joinBlocks(blocks: readonly string[]): string {
  return blocks
    .map((block, at) => {
      if (at === 0) return block
      return `${block.startsWith('- ') && blocks[at - 1]?.startsWith('- ') ? '\n' : '\n\n'}${block}`
    })
    .join('')
}

interface Table {
  /** Whether the table handles the tag. */
  open(name: string): boolean
  add(text: string): boolean
  /** Returns the table as one block at its end. */
  close(name: string): string[] | undefined
}

/** Only the outermost table counts. The content of a cell is one line of text. */
function createTable(): Table {
  let depth = 0
  let rows: string[][] = []
  return {
    open(name) {
      if (name === 'table') depth += 1
      if (depth === 0) return false
      if (depth === 1 && name === 'tr') rows.push([])
      else if (depth === 1 && (name === 'td' || name === 'th')) rows.at(-1)?.push('')
      // Separates the words of two blocks in one cell.
      else addTo(rows, ' ')
      return true
    },
    add(text) {
      if (depth === 0) return false
      addTo(rows, text)
      return true
    },
    close(name) {
      if (depth === 0) return undefined
      if (name === 'table') depth -= 1
      if (depth > 0) return []
      const block = drawTable(rows)
      rows = []
      return block
    },
  }
}

function addTo(rows: readonly string[][], text: string): void {
  const row = rows.at(-1)
  if (row && row.length > 0) row[row.length - 1] += text
}

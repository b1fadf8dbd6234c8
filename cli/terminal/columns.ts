/** Words in columns of the terminal: broken between words, and within one that is wider than its column, there after a sign of a path if it has one. Colour takes no room. */
import { stripVTControlCharacters } from 'node:util'

/** At least one line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((each) => pieces(each, width))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer) > width && line !== '') {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

/** Each line wrapped in its half; a line of the one stands beside the same line of the other. */
export function sideBySide(left: readonly string[], right: readonly string[], width: number): string[] {
  const half = Math.max(MIN_WIDTH, Math.floor((width - GAP.length) / 2))
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, row) =>
    joinCells(wrap(left[row] ?? '', half), wrap(right[row] ?? '', half), half),
  )
  return rows.flat()
}

const GAP = ' | '
const MIN_WIDTH = 10

function joinCells(left: readonly string[], right: readonly string[], half: number): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row) => {
    const cell = left[row] ?? ''
    return `${cell}${' '.repeat(Math.max(0, half - widthOf(cell)))}${GAP}${right[row] ?? ''}`.trimEnd()
  })
}

/** Each in the colour of the word. */
function pieces(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word]
  const plain = stripVTControlCharacters(word)
  const [before = '', after = ''] = word.split(plain)
  const characters = Array.from(plain)
  const found: string[] = []
  for (let at = 0; at < characters.length;) {
    const piece = characters.slice(at, at + width)
    const isLast = at + piece.length === characters.length
    const end = piece.findLastIndex((character) => '/-_.'.includes(character)) + 1
    // A break in the first half would leave a line nearly empty.
    const length = isLast || end * 2 <= width ? piece.length : end
    found.push(`${before}${piece.slice(0, length).join('')}${after}`)
    at += length
  }
  return found
}

/** With a mark where something was cut off. */
export function shorten(text: string, width: number): string {
  const characters = Array.from(text)
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`
}

/** The same for a path, whose end tells it from those beside it. */
export function shortenPath(path: string, width: number): string {
  const characters = Array.from(path)
  return characters.length <= width ? path : `…${characters.slice(characters.length - width + 1).join('')}`
}

function widthOf(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length
}

/** The widest columns are cut until all of them fit; without a width nothing is cut. Columns with these headings have paths. */
export function fitColumns(
  lines: readonly (readonly string[])[],
  width: number | undefined,
  pathHeadings: readonly string[] = [],
): string[] {
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => widthOf(line[at] ?? ''))))
  const isTooWide = () =>
    width !== undefined &&
    widths.reduce((sum, each) => sum + each + 2, -2) > width &&
    Math.max(...widths) > NARROWEST
  while (isTooWide()) widths[widths.indexOf(Math.max(...widths))] = Math.max(...widths) - 1
  return lines.map((line) =>
    line
      .map((cell, at) => {
        const room = widths[at] ?? 0
        const shortenCell = pathHeadings.includes(lines[0]?.[at] ?? '') ? shortenPath : shorten
        const cut = widthOf(cell) > room ? shortenCell(stripVTControlCharacters(cell), room) : cell
        return cut + ' '.repeat(Math.max(0, room - widthOf(cut)))
      })
      .join('  ')
      .trimEnd(),
  )
}

const NARROWEST = 6

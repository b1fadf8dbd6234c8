/** The elements that may begin in the middle of running text, with no blank line before it. Anything else continues the text. */
import { isLower, isUpper } from './characters.ts'
import { keyOf } from './keys.ts'
import { readRunIn } from './labels.ts'
import { lineBelow } from './lines.ts'
import type { Line, Sheet } from './lines.ts'
import { markerOf } from './markers.ts'
import { isDivider, isRuler } from './rulers.ts'
import type { DraftTable } from './tables/draft.ts'

/** The sheet together with what was found on it beforehand. */
export interface Ground {
  readonly sheet: Sheet
  /** Tables by their first line. */
  readonly tables: ReadonlyMap<number, DraftTable>
  /** The closing line of each fence of code, by its opening line. */
  readonly fences: ReadonlyMap<number, number>
}

export function beginsBlock(ground: Ground, index: number, text: { first: number; list: boolean }): boolean {
  const line = ground.sheet.lines[index]
  const first = ground.sheet.lines[text.first]
  if (line === undefined || first === undefined) return true
  if (ground.tables.has(index) || ground.fences.has(index)) return true
  if (isDrawn(ground.sheet.text, line)) return true
  return beginsItem(ground.sheet, index, text.list) || beginsKey(ground.sheet, index, first)
}

function isDrawn(text: string, line: Line): boolean {
  if (isRuler(text, line) || isDivider(text, line)) return true
  return /^#{1,6}\s/.test(text.slice(line.from, line.from + 7))
}

/** Inside a list every marker counts. In a paragraph the line before must have come to an end. */
function beginsItem(sheet: Sheet, index: number, list: boolean): boolean {
  const [line, above] = [sheet.lines[index], sheet.lines[index - 1]]
  if (line === undefined || above === undefined) return false
  if (markerOf(sheet.text, line) === null) return false
  return list || !mayRunOn(sheet.text, above, line)
}

function beginsKey(sheet: Sheet, index: number, first: Line): boolean {
  const [line, above] = [sheet.lines[index], sheet.lines[index - 1]]
  if (line === undefined || above === undefined) return false
  if (readRunIn(sheet.text, line.from, line.to) !== null) return true
  const keyed = keyOf(sheet.text, line)
  if (keyed === null || keyed.strong) return keyed !== null
  if (!isUpper(sheet.text, keyed.key[0])) return false
  // Further in than the text it stands in, `Granted: 2021` is an entry and not a turn of phrase; so is a short line
  // below a line that ended of itself.
  if (line.indent > first.indent + 1) return keyed.value !== null || goesDeeper(sheet, index)
  return keyed.value !== null && line.to - line.from < 80 && !mayRunOn(sheet.text, above, line)
}

function goesDeeper(sheet: Sheet, index: number): boolean {
  const [line, next] = [sheet.lines[index], lineBelow(sheet, index)]
  return line !== undefined && next !== undefined && next.indent > line.indent + 1
}

/** Lines shorter than this were ended by hand. */
const wrapped = 50

/** Whether a line could have been broken by the margin: it is long, and no sentence ends with it. */
function mayRunOn(text: string, line: Line, next: Line): boolean {
  if (line.to - line.from < wrapped) return isLower(text, next.from) && line.to - line.from >= wrapped / 2
  return !'.:;!?'.includes(text.charAt(line.to - 1))
}

/** Whether the margin is the likely reason for the break after a line: then the next line goes on with it. */
export function isWrapped(line: Line): boolean {
  return line.to - line.from >= wrapped
}

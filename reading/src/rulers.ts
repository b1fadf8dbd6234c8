/** Lines that are drawn and not said: rulers, fences of code, dividers between the messages of a thread. */
import { isSpace } from './characters.ts'
import type { Line, Sheet } from './lines.ts'

const strokes = new Set('-=_*~#+·•–—─━═┄┈'.split('').map((sign) => sign.charCodeAt(0)))

/** At least three strokes and nothing else; two dashes alone are the line before the signature of a mail. */
export function isRuler(text: string, line: Line): boolean {
  let drawn = 0
  for (let at = line.from; at < line.to; at += 1) {
    const code = text.charCodeAt(at)
    if (strokes.has(code)) drawn += 1
    else if (!isSpace(code)) return false
  }
  return drawn >= 3 || (line.to - line.from === 2 && text.startsWith('--', line.from))
}

/** A line of one repeated sign, as under a heading. */
export function isUnderline(text: string, line: Line, sign: string): boolean {
  const code = sign.charCodeAt(0)
  if (line.to - line.from < 3) return false
  for (let at = line.from; at < line.to; at += 1) if (text.charCodeAt(at) !== code) return false
  return true
}

const forwarded = /^(?:begin forwarded message|weitergeleitete nachricht|début du message réexpédié)\s?:?$/i
const between = /message|forward|nachricht|messaggio|mensaje|bericht/i

/** `-----Original message-----` and its like. */
export function isDivider(text: string, line: Line): boolean {
  const length = line.to - line.from
  if (length < 12 || length > 80) return false
  const words = text.slice(line.from, line.to)
  if (words.startsWith('--') && words.endsWith('--')) return between.test(words)
  return forwarded.test(words)
}

/** The sign of a fence, or null. A bare fence, with nothing behind its signs, can also close a block. */
function fenceOf(text: string, line: Line): { sign: string; bare: boolean } | null {
  const sign = text.charAt(line.from)
  if ((sign !== '`' && sign !== '~') || !text.startsWith(sign.repeat(3), line.from)) return null
  let at = line.from + 3
  while (at < line.to && text.charAt(at) === sign) at += 1
  if (at === line.to) return { sign, bare: true }
  // Behind its signs a fence names a language in a word or two; anything longer is text.
  const words = line.to - at > 40 ? null : text.slice(at, line.to)
  return words === null || words.includes('`') ? null : { sign, bare: false }
}

/**
 * For every line that opens a fence, the line that closes it. Found in one pass from the end, so that a thousand
 * fences that nobody closes cost no more than one.
 */
export function pairFences(sheet: Sheet): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>()
  const next = new Map<string, number>()
  for (let index = sheet.lines.length - 1; index >= 0; index -= 1) {
    const line = sheet.lines[index]
    const fence = line === undefined ? null : fenceOf(sheet.text, line)
    if (line === undefined || fence === null) continue
    const key = `${fence.sign}${line.quote}`
    const closer = next.get(key)
    if (closer !== undefined) pairs.set(index, closer)
    if (fence.bare) next.set(key, index)
  }
  return pairs
}

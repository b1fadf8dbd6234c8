/**
 * The grammar of list markers: bullets, check boxes, `1.`, `(a)`, `iv)`, `2.1`. Numbers also begin dates, amounts and
 * addresses, so what follows a marker is looked at as well.
 */
import { isDigit, isLetter, isSpace, isUpper, skipSpaces } from './characters.ts'
import type { Span } from './format.ts'
import type { Line } from './lines.ts'
import { monthsOfAllLanguages } from './months.ts'

export interface Marker {
  readonly span: Span
  /** Where the text of the item begins. */
  readonly text: number
  readonly kind: 'bullet' | 'number' | 'decimal' | 'letter'
  /** The numbers of `2.1`, the place of a letter in the alphabet; empty for a bullet. */
  readonly path: readonly number[]
}

const bullets = '-*+•◦▪‣·●○■□–—✓✔✗✘➤►▶'
const box = /^\[[ xX✓✔]\]/
const digits = /^\(?(\d{1,3})[.)]$/
const decimals = /^\(?(\d{1,2}(?:\.\d{1,3}){1,5})[.)]?$/
// A capital before a full stop is an initial: `C. Jarrity` signs, it does not list.
const letters = /^(?:\(([A-Za-z]|[ivx]{2,5})\)|([A-Za-z]|[ivx]{2,5})\)|([a-z]|[ivx]{2,5})\.)$/
/** Longer than `(12.10.3)` no marker is. */
const longest = 16

/** The marker of a line, or null. Most lines begin with a word, which one look tells. */
export function markerOf(text: string, { from, to }: Line): Marker | null {
  return mayMark(text, from) ? readMarker(text, from, to) : null
}

function mayMark(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (isDigit(code) || code === 0x28 || code === 0x5b) return true
  if (code < 0x80 && isLetter(text, at)) return /^[A-Za-z]{1,5}[.)]/.test(text.slice(at, at + 6))
  return bullets.includes(text.charAt(at))
}

function readMarker(text: string, from: number, to: number): Marker | null {
  const end = Math.min(wordEnd(text, from, to), to)
  if (end === -1) return null
  const marker = bullet(text, from, end, to) ?? ordered(text, from, end)
  if (marker === null) return null
  const start = skipSpaces(text, marker.span[1], to)
  // `— END OF REPORT —` is framed, not listed.
  if ('–—-*'.includes(text.charAt(from)) && text.charAt(to - 1) === text.charAt(from)) return null
  return start < to ? { ...marker, text: start } : null
}

/** The end of the first word, or -1 when the word is too long for a marker. */
function wordEnd(text: string, from: number, to: number): number {
  const limit = Math.min(to, from + longest)
  let at = from
  while (at < limit && !isSpace(text.charCodeAt(at))) at += 1
  return at < to && at === limit ? -1 : at
}

function bullet(text: string, from: number, end: number, to: number): Omit<Marker, 'text'> | null {
  const plain = end === from + 1 && bullets.includes(text.charAt(from))
  const start = plain ? skipSpaces(text, end, to) : from
  const boxed =
    box.test(text.slice(start, start + 3)) && (start + 3 === to || isSpace(text.charCodeAt(start + 3)))
  if (boxed) return { span: [from, start + 3], kind: 'bullet', path: [] }
  return plain ? { span: [from, end], kind: 'bullet', path: [] } : null
}

function ordered(text: string, from: number, end: number): Omit<Marker, 'text'> | null {
  if (end === from || !mayOrder(text, from)) return null
  const word = text.slice(from, end)
  const span: Span = [from, end]
  const number = digits.exec(word)?.[1]
  if (number !== undefined) return isDate(text, end) ? null : { span, kind: 'number', path: [Number(number)] }
  const decimal = decimals.exec(word)?.[1]
  if (decimal !== undefined && opensClause(text, end)) {
    return { span, kind: 'decimal', path: decimal.split('.').map(Number) }
  }
  const found = letters.exec(word)
  const letter = found?.[1] ?? found?.[2] ?? found?.[3]
  return letter === undefined
    ? null
    : { span, kind: 'letter', path: [letter.toLowerCase().charCodeAt(0) - 96] }
}

function mayOrder(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return isDigit(code) || code === 0x28 || (code < 0x80 && isLetter(text, at))
}

/** `31. December 2023` */
function isDate(text: string, after: number): boolean {
  const word = /^\s(\p{L}{3,12})/u.exec(text.slice(after, after + 14))?.[1]
  return word !== undefined && monthsOfAllLanguages.has(word.toLowerCase())
}

const units = /^(?:EUR|USD|GBP|CHF|NOK|SEK|DKK|JPY|M?Mio|Million|Billion|[kKMGT]?(?:Hz|W|Wh|B|V|Pa|A))\b/

/** Behind `2.1` a clause begins with a capital; behind an amount comes a unit or a small letter: `1.5 million`. */
function opensClause(text: string, after: number): boolean {
  const start = skipSpaces(text, after, Math.min(text.length, after + 12))
  if (units.test(text.slice(start, start + 12))) return false
  if (start - after >= 2) return isLetter(text, start)
  return (
    isUpper(text, start) ||
    text.charAt(start) === '*' ||
    text.charAt(start) === '“' ||
    text.charAt(start) === '"'
  )
}

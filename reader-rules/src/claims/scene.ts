/** The context that a whole document lends to its claims: what it is about, when it speaks, and the short forms it explains. */
import type { Claim, Days } from '@concord/reading/src/claim.ts'
import { isLineEnd } from '@concord/reading/src/characters.ts'
import type { Span, Structure } from '@concord/reading/src/format.ts'
import type { Hints } from '@concord/reading/src/values.ts'
import { dateInFields, dateOf, periodInFields } from '@concord/reading/src/dating.ts'
import { NameBook, bareName, findNames } from './names.ts'
import type { Name } from './names.ts'
import { tokenAt } from './token.ts'
import { tokenise } from './tokens.ts'
import type { Token } from './token.ts'

export interface Scene {
  readonly text: string
  readonly structure: Structure
  readonly book: NameBook
  readonly hints: Hints
  /** The subject that the document names. */
  readonly subject: Claim['subject']
  readonly assertedAt: number | null
  /** The period of a form or a table that says so in its header. */
  readonly period: Days | null
  /** Dates of the messages of a thread. */
  readonly partDates: readonly (number | null)[]
  /** Words of each heading, its own only. */
  readonly headings: readonly HeadingWords[]
  /** Tokens by the start of their sentence or cell. */
  readonly tokens: (span: Span) => readonly Token[]
  /** How often a limit left out values of a sentence, a row or a field. */
  readonly cuts: { count: number }
}

export interface HeadingWords {
  readonly tokens: readonly Token[]
  readonly words: readonly string[]
  readonly name: readonly string[] | null
  readonly nameText: string
}

const nobody: Claim['subject'] = { words: [], text: '', from: 'none' }

export function readScene(text: string, structure: Structure): Scene {
  const cut = new Map<number, readonly Token[]>()
  const tokens = (span: Span) => {
    // Both ends count: a label begins where its sentence does.
    const place = span[0] * 4_294_967_296 + span[1]
    const known = cut.get(place)
    if (known !== undefined) return known
    const fresh = tokenise(text, span[0], span[1])
    cut.set(place, fresh)
    return fresh
  }
  const book = new NameBook()
  for (const passage of structure.passages) {
    if (passage.kind !== 'code' && passage.kind !== 'table-row')
      for (const sentence of passage.sentences) book.learn(tokens(sentence))
  }
  const stamp = dateOf(text, structure)
  return {
    text,
    structure,
    book,
    hints: {},
    subject: subjectIn(text, structure, tokens, book),
    assertedAt: stamp,
    period: periodInFields(text, structure.header.fields),
    partDates: structure.parts.map((part) => dateInFields(text, part.fields) ?? stamp),
    headings: structure.headings.map((heading) => headingWords(text, tokens(heading.span), book)),
    tokens,
    cuts: { count: 0 },
  }
}

function headingWords(text: string, tokens: readonly Token[], book: NameBook): HeadingWords {
  const words = tokens
    .filter((token) => !token.sign && !token.digit && token.low.length > 2)
    .map((token) => token.word)
  const shouted = tokens.every((token) => token.sign || token.digit || token.capitals || token.low.length < 3)
  const name = shouted ? undefined : findNames(tokens, book).find((each) => isHeadingName(each, tokens, book))
  const [first, last] =
    name === undefined ? [0, 0] : [tokens[name.run[0]]?.start ?? 0, tokens[name.run[1] - 1]?.end ?? 0]
  return { tokens, words: words.slice(0, 8), name: name?.words ?? null, nameText: text.slice(first, last) }
}

/** One word at the start of a heading is capitalised like any other: a name has more, or stands further on. */
function isHeadingName(name: Name, tokens: readonly Token[], book: NameBook): boolean {
  if (book.isPlain(name.words[0] ?? '') || name.words.every((word) => book.isPlain(word))) return false
  if (/^(?:phase|stage|group|class)$/.test(name.words[0] ?? '')) return false
  const known = name.words.some((word) => book.isProper(word) || /\d/.test(word))
  return (
    known &&
    (name.run[1] - name.run[0] > 1 ||
      (name.run[0] > 0 && !tokenAt(tokens, name.run[0] - 1).digit) ||
      tokens.length === 1)
  )
}

/** Keys that name what a document is about, the most telling first. */
const identityKeys = [
  /^(?:batch|lot|subject (?:no|number)|patient|incident|claim (?:no|number)|policy (?:no|number))\b/i,
  /^(?:contract|project|study|property|premises|building|vessel|vehicle|site|centre|center)\b/i,
  /^(?:company|client|customer|employer|borrower|issuer|insured|supplier|name of (?:the )?company|product)\b/i,
]

/** From a field that names it, else from the title. */
function subjectIn(
  text: string,
  structure: Structure,
  tokens: (span: Span) => readonly Token[],
  book: NameBook,
): Claim['subject'] {
  for (const keys of identityKeys) {
    const field = structure.header.fields.find(({ key }) =>
      keys.test(text.slice(key[0], Math.min(key[1], key[0] + 40))),
    )
    if (field !== undefined) return fieldSubject(text, tokens(field.value), book, field.value)
  }
  const { title } = structure.header
  if (title === undefined) return nobody
  for (const line of linesOf(text, title)) {
    const words = tokens(line)
    const known = findNames(words, book).filter(
      (name) => !inBrackets(words, name) && isHeadingName(name, words, book),
    )
    const best = known.find((name) => name.run[0] > 0) ?? known[0]
    const name = best ?? shoutedName(text, words)
    if (name !== undefined) return spanSubject(text, words, name)
  }
  return nobody
}

const longestShouted = 4

/** "ALPHA INDUSTRIALS -- ACCOUNTS": in capitals all looks like a name, but only a name stands in the text as "Alpha Industrials". */
function shoutedName(text: string, tokens: readonly Token[]): Name | undefined {
  if (!tokens.every((token) => token.sign || token.digit || token.capitals)) return undefined
  const end = tokens.findIndex((token) => token.sign)
  if (end < 1 || end > longestShouted) return undefined
  const words = tokens.slice(0, end).map((token) => token.low)
  const written = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  return text.includes(written) ? { run: [0, end], words } : undefined
}

/** A title of several lines is no sentence: names do not run on. */
function linesOf(text: string, [start, end]: Span): Span[] {
  const lines: Span[] = []
  let from = start
  for (let at = start; at <= end; at += 1) {
    if (at < end && !isLineEnd(text.charCodeAt(at))) continue
    if (at > from) lines.push([from, at])
    from = at + 1
  }
  return lines
}

function inBrackets(tokens: readonly Token[], name: Name): boolean {
  let depth = 0
  for (let at = 0; at < name.run[0]; at += 1) {
    const { low } = tokenAt(tokens, at)
    if (low === '(') depth += 1
    else if (low === ')') depth -= 1
  }
  return depth > 0
}

/** The name in a field, or all of it where it is short. */
function fieldSubject(text: string, tokens: readonly Token[], book: NameBook, span: Span): Claim['subject'] {
  const [name] = findNames(tokens, book)
  if (name !== undefined && name.run[0] === 0) return spanSubject(text, tokens, name)
  const words = bareName(tokens).slice(0, 4)
  return { words, text: text.slice(span[0], Math.min(span[1], span[0] + 80)), from: 'document' }
}

function spanSubject(text: string, tokens: readonly Token[], name: Name): Claim['subject'] {
  const [first, last] = [tokenAt(tokens, name.run[0]), tokenAt(tokens, name.run[1] - 1)]
  return { words: name.words, text: text.slice(first.start, last.end), from: 'document' }
}

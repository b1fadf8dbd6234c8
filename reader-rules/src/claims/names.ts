/** Names in a text: people, companies, places, products and numbered things, and the words of them that tell them apart. */
import {
  classWords,
  determiners,
  legalForms,
  neverNames,
  smallWords,
  titles,
  wholes,
} from '@concord/reading/src/words/lexicon.ts'
import type { Run } from './phrases.ts'
import { tokenAt } from './token.ts'
import type { Token } from './token.ts'
import { isVerbAt } from './verbs.ts'

export interface Name {
  readonly run: Run
  readonly words: readonly string[]
}

/** Collects what the document treats as names, so that the first word of a sentence can be judged. */
export class NameBook {
  readonly #capital = new Set<string>()
  readonly #plain = new Set<string>()

  learn(tokens: readonly Token[]): void {
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokenAt(tokens, at)
      if (token.sign || token.digit) continue
      if (!token.capital) this.#plain.add(token.low)
      else if (at > 0 && !token.capitals && !opensSentence(tokens, at)) this.#capital.add(token.low)
    }
  }

  isProper(low: string): boolean {
    return this.#capital.has(low) && !this.#plain.has(low)
  }

  isPlain(low: string): boolean {
    return this.#plain.has(low)
  }
}

function opensSentence(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  if (before === undefined) return true
  return before.sign ? '"(:.-;'.includes(before.low) : before.low === 'that'
}

const joining = new Set('of de la van von der den du da di del & y och und et'.split(' '))

/** The names among the tokens, in order. */
export function findNames(tokens: readonly Token[], book: NameBook): Name[] {
  const names: Name[] = []
  for (let at = 0; at < tokens.length;) {
    const end = nameEnd(tokens, at, book)
    if (end > at) names.push({ run: [at, end], words: nameWords(tokens, at, end) })
    at = Math.max(end, at + 1)
  }
  return names.filter(
    ({ run, words }) => words.length > 0 && !(run[1] - run[0] === 1 && isGeneral(tokens, run[0])),
  )
}

/** "the Group", "the Tenant": a word for the whole, written like a name. */
function isGeneral(tokens: readonly Token[], at: number): boolean {
  const { word, low, digit } = tokenAt(tokens, at)
  return !digit && (wholes.has(word) || low.length < 2)
}

function nameEnd(tokens: readonly Token[], from: number, book: NameBook): number {
  const first = tokenAt(tokens, from)
  if (isClassMark(tokens, from)) return from + 2
  if (isMark(first)) return from + 1
  if (!opensName(tokens, from, book)) return from
  let end = from + 1
  while (end < tokens.length && continuesName(tokens, end)) end += 1
  while (end > from + 1 && joining.has(tokenAt(tokens, end - 1).low)) end -= 1
  return end > from + 1 && isOfMeasure(tokens, end - 1) ? end - 1 : end
}

/** "The Group SCR ratio", "Meridian HR costs": initials right before a noun tell what is measured, not of whom. */
function isOfMeasure(tokens: readonly Token[], at: number): boolean {
  const token = tokenAt(tokens, at)
  const next = tokens[at + 1]
  if (!token.capitals || token.possessive || !/^[a-z]{2,5}$/.test(token.low)) return false
  if (legalForms.has(token.low) || lands.has(token.low) || tokenAt(tokens, at - 1).capitals) return false
  if (next === undefined || next.sign || next.digit || next.capital) return false
  return !smallWords.has(next.low) && !isVerbAt(tokens, at + 1)
}

const lands = new Set('uk us usa eu uae'.split(' '))

function continuesName(tokens: readonly Token[], at: number): boolean {
  const token = tokenAt(tokens, at)
  const before = tokenAt(tokens, at - 1)
  if (before.possessive) return false
  if (token.low === '.') return before.low.length <= 2 || titles.has(before.low)
  if (isNameWord(token)) return true
  if (joining.has(token.low))
    return at + 1 < tokens.length && isNameWord(tokenAt(tokens, at + 1)) && token.low !== 'of'
  return legalForms.has(bareForm(token.low)) && token.low.includes('.')
}

function opensName(tokens: readonly Token[], at: number, book: NameBook): boolean {
  const token = tokenAt(tokens, at)
  if (titles.has(token.low) && token.capital) return at + 1 < tokens.length
  if (!isNameWord(token)) return false
  if (isInitial(tokens, at, book)) return true
  if (token.capitals) return followsName(tokens, at) || isShouted(tokens, at)
  if (at > 0 && !opensSentence(tokens, at)) return true
  if (book.isProper(token.low)) return true
  return followsName(tokens, at) && !book.isPlain(token.low)
}

/** "T. Okonjo", and not "A. Scope". */
function isInitial(tokens: readonly Token[], at: number, book: NameBook): boolean {
  const token = tokenAt(tokens, at)
  if (bareForm(token.low).length !== 1 || !token.capital) return false
  const stop = token.low.endsWith('.') ? at : at + 1
  const next = tokens[stop + 1]
  if (next === undefined || (stop > at && tokenAt(tokens, stop).low !== '.')) return false
  return isNameWord(next) && !next.capitals && next.low.length > 2 && !book.isPlain(next.low)
}

/** `HALLAM ESTATES LTD`: a legal form in capitals ends a name in capitals. */
function isShouted(tokens: readonly Token[], at: number): boolean {
  for (let index = at + 1; index < at + 7; index += 1) {
    const token = tokens[index]
    if (token === undefined || !token.capitals) return false
    if (legalForms.has(bareForm(token.low))) return true
  }
  return false
}

/** A second name word behind the first: the first is one too, though it opens a sentence. */
function followsName(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  if (next === undefined || !(isNameWord(next) || next.low === '&')) return false
  return !next.capitals || legalForms.has(bareForm(next.low))
}

function isNameWord(token: Token): boolean {
  if (token.sign || !token.capital || token.digit) return false
  return !neverNames.has(token.low)
}

/** `PF-23-0817`, `INC-2023-0611`, `0417-009`: letters or zeros with digits behind a hyphen or stroke. */
function isMark(token: Token): boolean {
  if (!token.digit || token.end - token.start < 4) return false
  return (
    /^(?=.*\d)(?:[a-z]{1,6}[-/]?\d[\w/-]*|0\d+-\d+|[a-z]{1,6}-[\w-]*\d[\w-]*)$/.test(token.low) &&
    !/^(?:fy|q\d|h\d)\d*/.test(token.low)
  )
}

function isClassMark(tokens: readonly Token[], at: number): boolean {
  const token = tokenAt(tokens, at)
  const next = tokens[at + 1]
  if (next === undefined || next.sign || !classWords.has(token.low)) return false
  if (next.digit) return !/^(?:19|20)\d\d$/.test(next.low) || token.capital
  return next.capital && next.end - next.start === 1 && token.capital
}

function bareForm(low: string): string {
  return low.includes('.') ? low.replaceAll('.', '') : low
}

/** The words that tell a name: no legal form, no title, no article. */
function nameWords(tokens: readonly Token[], from: number, to: number): string[] {
  const words: string[] = []
  for (let at = from; at < to; at += 1) {
    const token = tokenAt(tokens, at)
    if (token.sign || joining.has(token.low) || titles.has(token.low)) continue
    const bare = bareForm(token.low)
    if ((legalForms.has(bare) && at > from) || (bare.length === 1 && !token.digit && to - from > 2)) continue
    if (token.low === 'no' || token.low === 'number') continue
    words.push(token.digit ? token.low : bare)
  }
  return words
}

/** The words of any span that names something: a key, a cell, a field. */
export function bareName(tokens: readonly Token[]): string[] {
  return nameWords(tokens, 0, tokens.length).filter((word) => !determiners.has(word))
}

/** The tokens of one sentence or cell, with the questions every rule asks of them. */
import type { ClaimKind, Value } from '../claim.ts'
import { tokenise, type ValueToken } from './tokens.ts'
import type { Plain } from './digits.ts'

export interface Hints {
  /** Day before month where `03/05/2016` does not tell. */
  readonly dayFirst?: boolean
  /** The unit of a table: what its bare numbers are. */
  readonly currency?: string
  readonly scale?: number
  readonly unit?: string
  /** For dates without a year. */
  readonly year?: number
  /** The month in which the document speaks: in February "the end of December" is the last one. */
  readonly month?: number
}

const halfYear = 6
const ahead =
  /\b(?:will|shall|must|may|plan(?:s|ned)?|expect(?:s|ed)?|due|next|until|till|scheduled|deadline|by|from|proposed?|aims?|intends?)\b/i

export class ValueLine {
  readonly text: string
  readonly tokens: readonly ValueToken[]
  readonly hints: Hints

  constructor(text: string, start: number, end: number, hints: Hints) {
    this.text = text
    this.tokens = tokenise(text, start, end)
    this.hints = hints
  }

  /** The meaning of a word, as lower case text; empty for what is no known word. */
  word(at: number): string {
    return this.tokens[at]?.meaning?.text ?? ''
  }

  sign(at: number): string {
    return this.tokens[at]?.sign ?? ''
  }

  isGlued(at: number): boolean {
    return this.tokens[at]?.gap === false
  }

  plain(at: number): Plain | null {
    const digits = this.tokens[at]?.digits
    return digits?.form === 'plain' ? digits : null
  }

  /** The year of a date that gives none: that of the document, or the one before where the month is long to come. */
  yearOf(month: number): number | undefined {
    const { year, month: spoken } = this.hints
    if (year === undefined || spoken === undefined || month - spoken <= halfYear) return year
    const [first, last] = [this.tokens[0]?.start ?? 0, this.tokens.at(-1)?.end ?? 0]
    return ahead.test(this.text.slice(first, last)) ? year : year - 1
  }

  /** A whole number written without separators. */
  integer(at: number): number | null {
    const plain = this.plain(at)
    return plain !== null && plain.places === 0 && !plain.grouped ? plain.value : null
  }

  /** Exactly as written. */
  raw(at: number): string {
    const token = this.tokens[at]
    return token === undefined ? '' : this.text.slice(token.start, token.end)
  }

  /** A word in small letters that means something of its own, as far as one can see: a noun, a verb. */
  isLowerWord(at: number): boolean {
    const token = this.tokens[at]
    return token?.type === 'word' && !token.capital
  }
}

/** One value as read, before the face gives it its final form. */
export interface ValueReading {
  readonly kind: ClaimKind
  readonly value: Value
  readonly span: readonly [start: number, end: number]
  /** False where it could as well be read otherwise. */
  readonly sure: boolean
}

/**
 * Words, numbers and signs of a sentence, each looked at once. Names made of letters and digits (`AES-256`, `PF-23-0817`)
 * become one token that no rule reads as a number.
 */
import { isDigit, isLetter, isSpace, isUpper } from '../characters.ts'
import { readDigits, type Digits, type Pair } from './digits.ts'
import { meaningOf, type Meaning } from './lexicon.ts'

export interface ValueToken {
  readonly type: 'word' | 'number' | 'name' | 'sign'
  readonly start: number
  readonly end: number
  /** White space stands before it, or it is the first. */
  readonly gap: boolean
  /** Begins with a capital letter. */
  readonly capital: boolean
  readonly meaning: Meaning | undefined
  readonly digits: Digits | null
  /** The sign itself; empty for the rest. */
  readonly sign: string
}

export function tokenise(text: string, start: number, end: number): ValueToken[] {
  const reader = new Reader(text, end)
  let at = start
  let gap = true
  while (at < end) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) {
      gap = true
      at += 1
      continue
    }
    if (isDigit(code)) at = reader.number(at, gap)
    else if (isLetter(text, at)) at = reader.word(at, gap)
    else at = reader.sign(at, gap)
    gap = false
  }
  return reader.tokens
}

const stop = 0x2e
const joining = ".,:/-'’"

class Reader {
  readonly tokens: ValueToken[] = []
  private readonly text: string
  private readonly end: number

  constructor(text: string, end: number) {
    this.text = text
    this.end = end
  }

  number(at: number, gap: boolean): number {
    const end = this.digitsEnd(at)
    const after = this.lettersEnd(end)
    if (after > end && !this.isSuffix(end, after)) return this.name(at, after, gap)
    if (after === end && this.charAt(end) === '_') return this.name(at, end, gap)
    this.pushDigits(at, end, gap)
    return end
  }

  word(at: number, gap: boolean): number {
    const end = this.lettersEnd(at)
    const meaning = meaningOf(this.text, at, end)
    const next = this.charAt(end)
    const digitAfter = isDigit(this.text.charCodeAt(end)) && end < this.end
    if (digitAfter) return this.wordBeforeDigit(at, end, gap, meaning)
    const joinsDigit =
      (next === '-' || next === '_') && end + 1 < this.end && isDigit(this.text.charCodeAt(end + 1))
    if (joinsDigit && !bindsLoosely(meaning)) return this.name(at, end, gap)
    this.push('word', at, end, gap, meaning)
    return end
  }

  sign(at: number, gap: boolean): number {
    const code = this.text.charCodeAt(at)
    if (code === stop && gap && at + 1 < this.end && isDigit(this.text.charCodeAt(at + 1))) {
      const end = this.digitsEnd(at + 1)
      this.push(
        'number',
        at,
        end,
        gap,
        undefined,
        readDigits(`0${this.text.slice(at, Math.min(end, at + 40))}`),
      )
      return end
    }
    const pair = code >= 0xd800 && code <= 0xdbff && at + 2 <= this.end
    const end = pair ? at + 2 : at + 1
    this.push('sign', at, end, gap)
    return end
  }

  /** `FY2023`, `Q1`, `EUR34` and `v2.0` are two tokens, `m2` is one word, everything else is a name. */
  private wordBeforeDigit(at: number, end: number, gap: boolean, meaning: Meaning | undefined): number {
    const power = this.charAt(end)
    const square = (power === '2' || power === '3') && !isDigit(this.text.charCodeAt(end + 1))
    const unit = square ? meaningOf(this.text, at, end + 1) : undefined
    if (unit?.unit !== undefined) {
      this.push('word', at, end + 1, gap, unit)
      return end + 1
    }
    if (!splits(meaning, this.text, at)) return this.name(at, end, gap)
    this.push('word', at, end, gap, meaning)
    return end
  }

  /** Everything up to the next space or sign that no name goes over. */
  private name(at: number, from: number, gap: boolean): number {
    let end = from
    while (end < this.end) {
      const code = this.text.charCodeAt(end)
      if (isDigit(code) || isLetter(this.text, end)) end += 1
      else if ('-/_.:'.includes(this.charAt(end)) && this.isJoint(end)) end += 1
      else break
    }
    this.push('name', at, end, gap)
    return end
  }

  private isJoint(at: number): boolean {
    return at + 1 < this.end && (isDigit(this.text.charCodeAt(at + 1)) || isLetter(this.text, at + 1))
  }

  private digitsEnd(from: number): number {
    let at = from
    while (at < this.end) {
      if (isDigit(this.text.charCodeAt(at))) at += 1
      else if (
        at + 1 < this.end &&
        joining.includes(this.charAt(at)) &&
        isDigit(this.text.charCodeAt(at + 1))
      )
        at += 2
      else break
    }
    return at
  }

  private lettersEnd(from: number): number {
    let at = from
    while (at < this.end && isLetter(this.text, at))
      at += this.text.charCodeAt(at) >= 0xd800 && this.text.charCodeAt(at) <= 0xdbff ? 2 : 1
    return Math.min(at, this.end)
  }

  /** Whether the letters glued to a number say what it is: `34.6m`, `25kg`, `3rd`, `2024E`, `1H`. */
  private isSuffix(from: number, to: number): boolean {
    const meaning = meaningOf(this.text, from, to)
    const digit = to < this.end && isDigit(this.text.charCodeAt(to))
    if (meaning === undefined) return false
    if (digit) {
      const square = meaningOf(this.text, from, to + 1)?.unit !== undefined
      return square || meaning.period === 'quarter' || meaning.period === 'half'
    }
    const hyphened = this.charAt(to) === '-' && to + 1 < this.end && isDigit(this.text.charCodeAt(to + 1))
    return !hyphened && (meaning.scale !== undefined || meaning.unit !== undefined || isEnding(meaning))
  }

  private pushDigits(at: number, end: number, gap: boolean): void {
    const digits = end - at > 40 ? null : readDigits(this.text.slice(at, end))
    if (digits === null || (digits.form === 'pair' && isNumbering(digits))) this.push('name', at, end, gap)
    else if (digits.form !== 'pair') this.push('number', at, end, gap, undefined, digits)
    else {
      const middle = at + digits.at
      this.push('number', at, middle, gap, undefined, digits.left)
      this.push('sign', middle, middle + 1, false)
      this.push('number', middle + 1, end, false, undefined, digits.right)
    }
  }

  private push(
    type: ValueToken['type'],
    start: number,
    end: number,
    gap: boolean,
    meaning?: Meaning,
    digits: Digits | null = null,
  ): void {
    const capital = type === 'word' && isUpper(this.text, start)
    const sign = type === 'sign' ? this.text.slice(start, end) : ''
    this.tokens.push({ type, start, end, gap, capital, meaning, digits, sign })
  }

  private charAt(at: number): string {
    return at < this.end ? this.text.charAt(at) : ''
  }
}

/** `118840-1`, `24-03`: neither a range, which rises, nor two years. */
function isNumbering({ sign, left, right }: Pair): boolean {
  if (sign !== '-') return false
  const years = left.length === 4 && right.length === 2 && left.value > 1800 && left.value < 2200
  return !years && !(left.value < right.value && right.length <= left.length + 2)
}

const endings = new Set([
  'st',
  'nd',
  'rd',
  'th',
  'x',
  'a',
  'e',
  'f',
  'p',
  'am',
  'pm',
  'fold',
  'pct',
  'bps',
  'bp',
  'pp',
  'pts',
  'q',
  'h',
])

function isEnding(meaning: Meaning): boolean {
  return endings.has(meaning.text) || (meaning.currency !== undefined && meaning.capitals === true)
}

/** `mid-2023`, `APR-2023`, `FY-2023`: the hyphen only joins. */
function bindsLoosely(meaning: Meaning | undefined): boolean {
  if (meaning === undefined) return false
  return (
    meaning.month !== undefined ||
    meaning.period === 'year' ||
    ['mid', 'pre', 'post', 'early', 'late'].includes(meaning.text)
  )
}

function splits(meaning: Meaning | undefined, text: string, at: number): boolean {
  if (meaning === undefined) return false
  if (meaning.currency !== undefined) return isUpper(text, at)
  return meaning.period !== undefined || meaning.text === 'v'
}

/** Numbers in digits and in words, without what they count: `1 140`, `two hundred and forty`, `one and a half`, `four fifths`. */
import type { Meaning } from './lexicon.ts'
import type { ValueLine } from './line.ts'

export interface Numeral {
  readonly value: number
  /** Place of the last digit printed. */
  readonly step: number
  /** The token behind it. */
  readonly next: number
  readonly words: boolean
  /** `a third`, `four fifths`: a share of something. */
  readonly share: boolean
  /** Four digits without separator, which may be a year. */
  readonly digits: number
  readonly comma: boolean
}

export function numeralAt(line: ValueLine, at: number): Numeral | null {
  const token = line.tokens[at]
  if (token === undefined) return null
  if (token.type === 'number') return digitsAt(line, at)
  return token.type === 'word' ? wordsAt(line, at) : null
}

function digitsAt(line: ValueLine, at: number): Numeral | null {
  const plain = line.plain(at)
  if (plain === null) return null
  const spaced = plain.places === 0 && plain.length <= 3 && plain.value > 0 ? spacedGroups(line, at) : null
  if (spaced !== null) return spaced
  const step = plain.places === 0 ? 1 : 10 ** -plain.places
  const numeral = {
    value: plain.value,
    step,
    next: at + 1,
    words: false,
    share: false,
    digits: plain.length,
    comma: plain.comma,
  }
  return withPower(line, withHalf(line, numeral))
}

/** `1 140`, `33 100 000`: one space between, three digits behind each. */
function spacedGroups(line: ValueLine, at: number): Numeral | null {
  let value = line.plain(at)?.value ?? 0
  let next = at + 1
  while (next - at <= 5 && isGroup(line, next)) {
    value = value * 1000 + Number(line.raw(next))
    next += 1
  }
  if (next === at + 1 || next - at > 5) return null
  const last = line.plain(next - 1)
  const step = last === null || last.places === 0 ? 1 : 10 ** -last.places
  return { value, step, next, words: false, share: false, digits: 3 * (next - at), comma: false }
}

const group = /^\d{3}(?:\.\d{1,2})?$/

function isGroup(line: ValueLine, at: number): boolean {
  const [token, before] = [line.tokens[at], line.tokens[at - 1]]
  if (token === undefined || before === undefined || !token.gap) return false
  if (token.type !== 'number' && token.type !== 'name') return false
  return token.start - before.end === 1 && group.test(line.raw(at))
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** `2.3 × 10³`, `2.3 x 10^3` */
function withPower(line: ValueLine, numeral: Numeral): Numeral {
  const times = line.sign(numeral.next) === '×' || line.word(numeral.next) === 'x'
  if (!times || line.integer(numeral.next + 1) !== 10) return numeral
  let next = numeral.next + 2
  let power = 0
  if (line.sign(next) === '^') {
    power = line.integer(next + 1) ?? 0
    next += 2
  } else {
    for (; isPower(line, next); next += 1) power = power * 10 + superscripts.indexOf(line.sign(next))
  }
  if (power === 0 || power > 30) return numeral
  return { ...numeral, value: numeral.value * 10 ** power, step: numeral.step * 10 ** power, next }
}

function isPower(line: ValueLine, at: number): boolean {
  const sign = line.sign(at)
  return sign !== '' && line.isGlued(at) && superscripts.includes(sign)
}

/** `2 and a half`, `two and a half` */
function withHalf(line: ValueLine, numeral: Numeral): Numeral {
  const { next } = numeral
  if (line.word(next) !== 'and' || line.word(next + 1) !== 'a') return numeral
  const part = line.tokens[next + 2]?.meaning?.part
  if (part !== 2 && part !== 4) return numeral
  return { ...numeral, value: numeral.value + 1 / part, step: numeral.step / 10, next: next + 3 }
}

function wordsAt(line: ValueLine, at: number): Numeral | null {
  const meaning = line.tokens[at]?.meaning
  if (meaning === undefined) return null
  if (meaning.part === 2) return halfAt(line, at)
  if (meaning.text === 'a' || meaning.text === 'an') return articleAt(line, at)
  if (meaning.small === undefined && meaning.tens === undefined) return null
  const whole = withDigits(line, wholeAt(line, at, 0))
  return sharesAt(line, whole) ?? withHalf(line, whole)
}

/** `thirty (30) days`: said twice to be sure. */
function withDigits(line: ValueLine, whole: Numeral): Numeral {
  const { next, value } = whole
  const twice =
    line.sign(next) === '(' && line.sign(next + 2) === ')' && line.plain(next + 1)?.value === value
  return twice ? { ...whole, next: next + 3 } : whole
}

function spelled(value: number, step: number, next: number, share = false): Numeral {
  return { value, step, next, words: true, share, digits: 0, comma: false }
}

/** `half of`, `half a million`; `half an hour` keeps its article for the unit. */
function halfAt(line: ValueLine, at: number): Numeral {
  const article = line.word(at + 1) === 'a' || line.word(at + 1) === 'an'
  const behind = line.tokens[at + 2]?.meaning
  if (article && behind?.scale !== undefined && behind.short === undefined)
    return spelled(behind.scale / 2, behind.scale / 10, at + 3)
  if (article && behind?.unit !== undefined) return spelled(0.5, 0.1, at + 2)
  return spelled(0.5, 0.01, at + 1, true)
}

/** `a dozen`, `a hundred and ten`, `a third`, `a quarter of` */
function articleAt(line: ValueLine, at: number): Numeral | null {
  const behind = line.tokens[at + 1]?.meaning
  if (behind?.scale !== undefined && behind.short === undefined && !behind.text.endsWith('s'))
    return wholeAt(line, at + 1, 1)
  if (behind?.part !== undefined && behind.parts === undefined && isShare(line, at + 2))
    return spelled(1 / behind.part, 0.01, at + 2, true)
  return null
}

const afterShare = new Set(
  'of is are was were in the its their our to by from less more and or has have had will which on for as at'.split(
    ' ',
  ),
)

/** `a third of`, `a third.`, but not `a third party`. */
function isShare(line: ValueLine, next: number): boolean {
  const token = line.tokens[next]
  return token === undefined || token.type === 'sign' || afterShare.has(line.word(next))
}

/** `four fifths`, `two-thirds`, `one third of` */
function sharesAt(line: ValueLine, whole: Numeral): Numeral | null {
  const hyphen = line.sign(whole.next) === '-'
  const at = hyphen ? whole.next + 1 : whole.next
  const part = line.tokens[at]?.meaning
  if (part?.part === undefined || whole.value >= part.part || whole.value < 1) return null
  if (part.parts === true && part.part === 4 && line.word(at + 1) !== 'of') return null
  if (part.parts === undefined && (whole.value !== 1 || !isShare(line, at + 1))) return null
  return spelled(whole.value / part.part, 0.01, at + 1, true)
}

/** No number takes more words; what goes on is not one. */
const maxWords = 24

/** A number in words as far as it is read. */
interface Spelling {
  readonly total: number
  readonly current: number
  readonly step: number
  /** The next word must be worth less. */
  readonly room: number
}

/** A state machine over number words; `from` is what an article before the first one is worth. */
function wholeAt(line: ValueLine, at: number, from: number): Numeral {
  let spelling: Spelling = { total: 0, current: from, step: 1, room: from === 0 ? 100 : 0 }
  let next = at
  while (next - at <= maxWords) {
    const word = next > at ? skipJoint(line, next, spelling.current + spelling.total) : next
    const longer: Spelling | null = lengthened(spelling, line.tokens[word]?.meaning, next > at)
    if (longer === null) break
    spelling = longer
    next = word + 1
  }
  return spelled(spelling.total + spelling.current, spelling.step, next)
}

function lengthened(spelling: Spelling, word: Meaning | undefined, started: boolean): Spelling | null {
  const { total, current, room } = spelling
  if (word === undefined) return null
  if (word.tens !== undefined) {
    return room < 100 ? null : { total, current: current + word.tens, step: 1, room: 10 }
  }
  if (word.small !== undefined) {
    const fits = word.small < room && !(started && word.small === 0)
    return fits ? { total, current: current + word.small, step: 1, room: 0 } : null
  }
  if (word.scale === undefined || word.short === true || current === 0) return null
  if (word.scale <= 100) return { ...spelling, current: current * word.scale, room: 100 }
  const step = word.scale >= 1e5 ? word.scale : 1
  return { total: total + current * word.scale, current: 0, step, room: 100 }
}

/** Over the hyphen of `thirty-one` and the `and` of `two hundred and forty`. */
function skipJoint(line: ValueLine, at: number, value: number): number {
  const behind = line.tokens[at + 1]?.meaning
  if (behind === undefined) return at
  const number = behind.small !== undefined || behind.tens !== undefined
  if (line.sign(at) === '-' && line.isGlued(at) && line.isGlued(at + 1)) {
    return number || behind.scale !== undefined ? at + 1 : at
  }
  const joins = value >= 100 && value % 100 === 0 && line.word(at) === 'and'
  return joins && number ? at + 1 : at
}

/**
 * Numbers that name instead of saying how many: sections, list marks, footnotes, telephones, streets, things with a number
 * to their name. When in doubt a number without a unit is left out: a wrong value is worse than none.
 */
import type { Amount } from './amounts.ts'
import { calendarYear } from './dates.ts'
import type { ValueLine } from './line.ts'
import { amountAt } from './amounts.ts'

/** Behind these even a colon leaves the number a name: `Ref: 1234`. */
const strong = new Set(
  'no nos nr number ref reference id code tel phone telephone fax mobile ext extension item page batch invoice order ticket postcode po'.split(
    ' ',
  ),
)
const numbering = new Set(['no', 'nos', 'nr', 'number'])
const statutes = new Set(
  'act law regulation directive rule iso iec en din ifrs ias soc rfc bs astm cve asc isae'.split(' '),
)

/** The token behind a label and the numbers that belong to it, or null: `section 3.1`, `lots 2 and 3`, `No. 14`. */
export function labelledAt(line: ValueLine, at: number): number | null {
  const label = line.tokens[at]?.meaning
  if (label?.label !== true) return null
  const next = labelEnd(line, at, label.text)
  const token = line.tokens[next]
  if (token?.type === 'name') return next + 1
  // `Q1` is a quarter, `Q 14` a question.
  if (token?.type !== 'number' || (label.period !== undefined && !token.gap)) return null
  const keeps = statutes.has(label.text) || strong.has(label.text)
  if (calendarYear(line, next) !== null && !keeps) return null
  return amountAt(line, next)?.bare === false ? null : listEnd(line, next + 1)
}

/** Behind what may stand between a label and its number. */
function labelEnd(line: ValueLine, at: number, label: string): number {
  let next = at + 1
  if (line.sign(next) === '.' && line.isGlued(next)) next += 1
  if (line.sign(next) === ':' && strong.has(label)) next += 1
  if (numbering.has(line.word(next))) next += line.sign(next + 1) === '.' ? 2 : 1
  return line.sign(next) === '#' ? next + 1 : next
}

const joints = new Set(['and', 'or', 'to', 'through', 'of'])

function listEnd(line: ValueLine, from: number): number {
  let next = from
  for (;;) {
    const joint = joints.has(line.word(next)) || [',', '-', '–', '/', '&'].includes(line.sign(next))
    const token = line.tokens[next + 1]
    const number =
      token?.type === 'number' && line.plain(next + 1) !== null && calendarYear(line, next + 1) === null
    if (!joint || !number || line.tokens[next + 2]?.meaning?.month !== undefined) return next
    const amount = amountAt(line, next + 1)
    if (amount !== null && !amount.bare) return next
    next += 2
  }
}

/** Whether a number without unit or currency is no count. */
export function isNoCount(line: ValueLine, amount: Amount): boolean {
  const { first, next } = amount
  if (amount.numeral.words) return isLooseWord(line, amount)
  return (
    isGluedBefore(line, first) ||
    line.word(first - 1) === 'top' ||
    isBracketed(line, first, next) ||
    isMark(line, first, next) ||
    isNumberOfName(line, amount) ||
    isClock(line, next) ||
    isSlashed(line, first, next) ||
    isAddress(line, amount) ||
    isTelephone(line, first, next)
  )
}

/** `x.com/2023`, `#4`, `n=5` */
function isGluedBefore(line: ValueLine, first: number): boolean {
  const sign = line.sign(first - 1)
  if (!line.isGlued(first) || sign === '') return false
  if (sign === '#' || sign === '@' || sign === '_' || sign === '№' || sign === '§') return true
  const joins = sign === '/' || sign === '.' || sign === '-' || sign === ':'
  const before = line.tokens[first - 2]
  if (!joins || !line.isGlued(first - 1) || before === undefined) return false
  return before.type !== 'number' || calendarYear(line, first - 2) !== null
}

/** Footnotes `[3]`, items `(2)` within a sentence, references `12(b)`. */
function isBracketed(line: ValueLine, first: number, next: number): boolean {
  const before = line.sign(first - 1)
  if (before === '[' && line.sign(next) === ']') return true
  if (before === '(' && line.sign(next) === ')' && line.integer(first) !== null)
    return line.raw(first).length <= 2
  const opens = line.sign(next) === '(' && line.isGlued(next)
  return opens && line.raw(next + 1).length === 1 && line.sign(next + 2) === ')'
}

/** `1.` or `(2)` in front of an item, `4.2 Backup retention` in front of a heading. */
function isMark(line: ValueLine, first: number, next: number): boolean {
  const from = line.sign(first - 1) === '(' ? first - 1 : first
  if (!isStart(line, from)) return false
  const token = line.tokens[next]
  if (token === undefined) return false
  const closing = token.sign === '.' || token.sign === ')'
  if (closing) return line.tokens[next + 1] !== undefined || token.sign === ')'
  return from === first && token.type === 'word' && token.capital
}

/** Nothing before it but the signs of Markdown. */
function isStart(line: ValueLine, at: number): boolean {
  if (at > 4) return false
  for (let before = 0; before < at; before += 1)
    if (!'*#_>-•'.includes(line.sign(before) || 'x')) return false
  return true
}

/** Words that go on after a name, where nothing is counted. */
const onward = new Set('and or is was of in to has for at on by from'.split(' '))

/** `Windows 11`, `SOC 2`, `C 81944`: a name before a whole number, with nothing counted behind it. */
function isNumberOfName(line: ValueLine, amount: Amount): boolean {
  const { first, next, numeral } = amount
  const before = line.tokens[first - 1]
  if (before === undefined || amount.scaled || numeral.step < 1) return false
  if (line.isLowerWord(next) && !(before.type === 'word' && onward.has(line.word(next)))) return false
  return before.type === 'name' || isName(line, first - 1)
}

function isName(line: ValueLine, at: number): boolean {
  const token = line.tokens[at]
  if (token?.type !== 'word' || !token.capital) return false
  const raw = line.raw(at)
  if (raw.length === 1) return true
  if (token.meaning !== undefined) return false
  // The first word of a label has a capital letter too: `Revenue 34`.
  return at > 0 || raw === raw.toUpperCase()
}

/** `24/7`, `2/3/4`: what makes a ratio or a date has been read as such. */
function isSlashed(line: ValueLine, first: number, next: number): boolean {
  const before = line.sign(first - 1) === '/' && line.isGlued(first) && line.isGlued(first - 1)
  return before || (line.sign(next) === '/' && line.isGlued(next) && line.isGlued(next + 1))
}

function isClock(line: ValueLine, next: number): boolean {
  const word = line.word(next)
  if (word === 'am' || word === 'pm' || word === "o'clock") return true
  return /^[ap]$/i.test(line.raw(next)) && line.sign(next + 1) === '.' && /^m$/i.test(line.raw(next + 2))
}

/** `17 Triq il-Mina, Valletta`, `75008 Paris` */
function isAddress(line: ValueLine, amount: Amount): boolean {
  const { first, next, numeral } = amount
  const street = line.tokens[next]
  if (street?.type !== 'word' || !street.capital || street.meaning !== undefined || numeral.step < 1)
    return false
  if (line.raw(next) === 'CFR' || line.raw(next) === 'USC') return true
  if (numeral.digits === 5 || (numeral.digits === 4 && line.raw(next).length <= 2)) return true
  return isPlaceBefore(line, first) && isNameGoingOn(line, next + 1)
}

function isPlaceBefore(line: ValueLine, first: number): boolean {
  const sign = line.sign(first - 1)
  return (
    first === 0 || sign === ',' || sign === ':' || ['at', 'to', 'of', 'in'].includes(line.word(first - 1))
  )
}

/** `17 Triq il-Mina`, `4 Mole Street`, `12 Kaai,` */
function isNameGoingOn(line: ValueLine, at: number): boolean {
  const token = line.tokens[at]
  if (token === undefined || token.sign === ',') return true
  return token.type === 'word' && (token.capital || line.sign(at + 1) === '-')
}

/** `+44 20 7946 0958`: groups of digits that make no number together. */
function isTelephone(line: ValueLine, first: number, next: number): boolean {
  let [from, to] = [first, next]
  while (first - from < 4 && isDigits(line, from - 1) && line.tokens[from]?.gap === true) from -= 1
  while (to - next < 4 && isDigits(line, to) && line.tokens[to]?.gap === true) to += 1
  const groups = first - from + 1 + (to - next)
  if (groups >= 3) return true
  const plus = line.sign(from) === '+' || line.sign(from - 1) === '+'
  return groups === 2 && (plus || isNeighbour(line, first) || isNeighbour(line, next))
}

/** One space between this number and the one before, which is no year. */
function isNeighbour(line: ValueLine, at: number): boolean {
  const [before, token] = [line.tokens[at - 1], line.tokens[at]]
  if (before === undefined || token === undefined || token.start - before.end !== 1) return false
  return isDigits(line, at) && isDigits(line, at - 1) && calendarYear(line, at - 1) === null
}

function isDigits(line: ValueLine, at: number): boolean {
  const token = line.tokens[at]
  return token?.type === 'number' || (token?.type === 'name' && /^[\d-]+$/.test(line.raw(at).slice(0, 20)))
}

const determiners = new Set('the this that no each every any which only'.split(' '))
const afterPronoun = new Set(
  'of is was has had and or to in at on which who with for by from it as be been would could can may must shall should do does did will than that what if but but they we'.split(
    ' ',
  ),
)

/** `one` and `half` are seldom numbers. */
function isLooseWord(line: ValueLine, amount: Amount): boolean {
  const { numeral, next, first } = amount
  // `Big Four`, `World-Check One`
  if (line.tokens[first]?.capital === true && line.tokens[first - 1]?.capital === true) return true
  if (numeral.value !== 1) return false
  const behind = line.tokens[next]
  if (behind === undefined || behind.type !== 'word' || afterPronoun.has(line.word(next))) return true
  return determiners.has(line.word(first - 1))
}

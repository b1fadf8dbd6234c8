/** The subject that a key, a question, a heading or the head of a column asks for: the measure, of whom, when, and in which world. */
import type { Claim, Days } from '@concord/reading/src/claim.ts'
import type { Span } from '@concord/reading/src/format.ts'
import { nameSubject, textOf } from './build.ts'
import { Gathering } from './gathering.ts'
import { documentParts, irregular, lightNouns, prepositions } from '@concord/reading/src/words/lexicon.ts'
import { mannerOf, qualifiersIn } from './modes.ts'
import { isDate, readSentence } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import type { Scene } from './scene.ts'
import { phrasesIn } from './subjects.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

export interface AskedSubject {
  readonly words: readonly string[]
  readonly text: string
  readonly subject: Claim['subject'] | null
  readonly period: Days | null
  /** The period has a beginning only: "From 1 March 2023". */
  readonly open: boolean
  readonly qualifiers: readonly string[]
  readonly tokens: readonly Token[]
  readonly modality: Claim['modality']
  /** A date is asked for. */
  readonly when: boolean
}

const asking = new Set(
  `is are does do did has have can which what who how many much please state describe give list whether where when why
   name may will must should whom whose when`.split(/\s+/),
)

export function askedIn(scene: Scene, span: Span): AskedSubject {
  const tokens = scene.tokens(span)
  const comma = numberedBefore(tokens)
  if (comma === -1) return askedOf(scene, span)
  const words = tokens.slice(0, comma).map(({ low }) => low)
  const text = textOf(scene.text, tokens, [0, comma])
  return {
    ...askedOf(scene, [tokenAt(tokens, comma + 1).start, span[1]]),
    subject: { words, text, from: 'row' },
  }
}

function askedOf(scene: Scene, span: Span): AskedSubject {
  const tokens = scene.tokens(span)
  const sentence = readSentence(scene.text, span, tokens, scene.book, scene.hints)
  const gathering = gathered(sentence)
  if (gathering.words.length === 0 && isTitled(gathering, scene)) gathering.nameAsWords()
  const at = sentence.values.findIndex(isDate)
  const date = sentence.values[at]
  return {
    words: gathering.telling(),
    text: textOf(scene.text, tokens, [0, tokens.length]),
    subject: gathering.name === null ? null : nameSubject(scene.text, tokens, gathering.name),
    period: date?.value.type === 'date' ? date.value.days : null,
    open: lowAt(tokens, (sentence.runs[at]?.[0] ?? 0) - 1) === 'from',
    qualifiers: qualifiersIn(tokens),
    tokens,
    modality: mannerOf(tokens),
    when: tokens.some(({ low }) => low === 'when' || low === 'date' || low === 'day'),
  }
}

/** "Patients Screened", "Hazard Ratio": a key in title case looks like a name, and the text never uses it as one. */
function isTitled({ name }: Gathering, { book }: Scene): boolean {
  return (
    name !== null &&
    (name.words.every((word) => !book.isProper(word)) ||
      summing.has(name.words[0] ?? '') ||
      gauges.has(name.words.at(-1) ?? ''))
  )
}

/** "Total FTEs", "Composite Score": no name begins or ends like this, however often the text writes it in capitals. */
const summing = new Set('total overall average mean'.split(' '))
const gauges = new Set('score rating rate ratio index margin level amount'.split(' '))

/** Like parts of documents: what is said there is not said of them. */
const listed = new Set('item question part version no'.split(' '))

/** "Engine 2, cycles since overhaul": where the comma is that ends the name of a numbered thing; -1 where none is. */
function numberedBefore(tokens: readonly Token[]): number {
  const comma = lowAt(tokens, 2) === ',' ? 2 : -1
  const [first, second] = tokens
  const isNumbered =
    first !== undefined &&
    second !== undefined &&
    first.capital &&
    !first.digit &&
    second.digit &&
    !documentParts.has(first.low) &&
    !listed.has(first.low)
  return isNumbered && tokens.length > comma + 1 ? comma : -1
}

function gathered(sentence: Sentence): Gathering {
  const { tokens } = sentence
  const gathering = new Gathering(sentence)
  const from = skipAsking(tokens)
  const phrases = phrasesIn(sentence, [from, tokens.length]).filter(({ prep }) => prep !== 'per')
  const [first, second] = phrases
  const hands = first !== undefined && lightNouns.has(tokenAt(tokens, first.run[1] - 1).word)
  if (hands && (second?.prep === 'of' || second?.prep === 'for')) gathering.phrase(second.run)
  if (/^(?:best|use|sell)$/.test(lowAt(tokens, from)) && /^(?:before|by)$/.test(lowAt(tokens, from + 1))) {
    gathering.add(lowAt(tokens, from) + lowAt(tokens, from + 1), from)
    return gathering
  }
  for (const phrase of phrases.slice(0, 4)) gathering.phrase(phrase.run)
  for (let at = from; at < tokens.length; at += 1)
    if (isDeed(sentence, at)) gathering.add(tokenAt(tokens, at).word, at)
  if (/^(?:until|till)$/.test(lowAt(tokens, tokens.length - 1))) gathering.add('end', tokens.length - 1)
  if (tokens.slice(0, from).some(({ low }) => low === 'may')) gathering.add('right', 0)
  return gathering
}

/** "E3 Training budget": the number of the question is not part of it. */
function isCode(tokens: readonly Token[]): boolean {
  const first = tokenAt(tokens, 0)
  return (
    first.digit &&
    tokens.length > 2 &&
    /^[a-z]?\d{1,2}(?:\.\d{1,2})*[a-z]?$/.test(first.low) &&
    !tokenAt(tokens, 1).sign
  )
}

/** Behind "On what date may", "How many". */
function skipAsking(tokens: readonly Token[]): number {
  let from = isCode(tokens) ? 1 : 0
  while (from < tokens.length && (asking.has(lowAt(tokens, from)) || isOpening(tokens, from))) from += 1
  if (from > 0 && isTimeWord(lowAt(tokens, from))) from += 1
  while (from < tokens.length && asking.has(lowAt(tokens, from))) from += 1
  return from
}

/** "Employees by site": the measure, where what follows are things of a class; null where nothing says so. */
export function listedBy(scene: Scene, span: Span): readonly string[] | null {
  const tokens = scene.tokens(span)
  const at = tokens.findIndex(({ low }) => low === 'by')
  const [before, after] = [tokens[at - 1], tokens[at + 1]]
  if (before === undefined || after === undefined || before.word.endsWith('ed') || before.low.endsWith('ed'))
    return null
  const words = askedIn(scene, [tokenAt(tokens, 0).start, before.end]).words
  return words.length > 0 ? words : null
}

function isTimeWord(low: string): boolean {
  return low === 'date' || low === 'day' || low === 'year' || low === 'time'
}

/** "On what date", "To whom": a preposition before a word that asks. */
function isOpening(tokens: readonly Token[], at: number): boolean {
  return prepositions.has(lowAt(tokens, at)) && asking.has(lowAt(tokens, at + 1))
}

/** "Logs kept for", "Certified according to": the deed is part of what is asked. */
function isDeed({ tokens, taken }: Sentence, at: number): boolean {
  const token = tokenAt(tokens, at)
  if (taken(at) || token.sign || token.capital !== (at === 0 && token.capital)) return false
  return (
    (token.low.endsWith('ed') || irregular.has(token.low)) &&
    token.word !== token.low &&
    !/^(?:be|do|have)$/.test(token.word)
  )
}

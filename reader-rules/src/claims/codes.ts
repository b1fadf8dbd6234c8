/**
 * Numbers that name one thing and nothing else: of a passport, a meter, a seal, an account. Two of them that are nearly
 * alike for the same thing are one that was copied wrongly; two that have nothing in common are two things.
 */
import type { Claim } from '@concord/reading/src/claim.ts'
import type { Span } from '@concord/reading/src/format.ts'
import { baseOf } from './answers.ts'
import type { AnswerLine } from './answers.ts'
import { claimFrom } from './build.ts'
import { describe } from './describing.ts'
import type { Said } from './describing.ts'
import { Gathering } from './gathering.ts'
import { nounsBefore } from './phrases.ts'
import type { Run } from './phrases.ts'
import type { Sentence } from './sentence.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

const fewestSigns = 5
const fewestDigits = 3
const maxSigns = 24
const maxOfSentence = 2

/** The code that begins at a token, as far as it goes; null where none does. */
function codeRun(tokens: readonly Token[], at: number, text: string): Run | null {
  if (!isPiece(tokens, at, text) || (at > 0 && isPiece(tokens, at - 1, text) && isClose(tokens, at)))
    return null
  let end = at + 1
  while (end < tokens.length && isClose(tokens, end) && isPiece(tokens, end, text)) end += 1
  return isCode(plainOf(tokens, [at, end]), tokens, [at, end]) ? [at, end] : null
}

/** Digits, or letters and digits in one, or capitals before digits. */
function isPiece(tokens: readonly Token[], at: number, text: string): boolean {
  const token = tokenAt(tokens, at)
  if (!token.digit && !token.capitals) return false
  if (token.sign || token.low.includes(',')) return false
  if (token.digit) return /^[a-z]*[\d./-]+[a-z\d./-]*$/.test(token.low)
  return (
    token.capitals &&
    token.end - token.start <= 4 &&
    tokenAt(tokens, at + 1).digit &&
    text.charAt(token.end) === ' '
  )
}

function isClose(tokens: readonly Token[], at: number): boolean {
  return tokenAt(tokens, at).start - tokenAt(tokens, at - 1).end === 1
}

function plainOf(tokens: readonly Token[], [from, to]: Run): string {
  return tokens
    .slice(from, to)
    .map(({ low }) => low.replaceAll(/[^a-z\d]/g, ''))
    .join('')
}

const figure = /^\d+(?:\.\d+)?$/

function isCode(plain: string, tokens: readonly Token[], run: Run): boolean {
  const digits = plain.replaceAll(/\D/g, '').length
  if (plain.length < fewestSigns || plain.length > maxSigns || digits < fewestDigits) return false
  // "1500.25" and "12000" may be amounts; a long number, or one in pieces, is none.
  const first = tokenAt(tokens, run[0]).low
  return run[1] - run[0] > 1 || !figure.test(first) || (plain.length > fewestSigns && !first.includes('.'))
}

const linking = new Set(
  `number no nr ref reference code id # : . is was are were reads read found to be the has had of with shows shown ( as given`.split(
    ' ',
  ),
)

/** "the seal was found to be no. 884102": the nouns that a code is of. */
function nounsFor({ sentence }: Said, run: Run): Run | null {
  const { tokens } = sentence
  let end = run[0]
  while (end > 0 && linking.has(lowAt(tokens, end - 1))) end -= 1
  const nouns = nounsBefore(tokens, end, Math.max(0, end - 3), () => false)
  return nouns[0] < nouns[1] ? nouns : null
}

export function codesIn(said: Said): Claim[] {
  const { sentence, scene } = said
  const { tokens } = sentence
  const claims: Claim[] = []
  if (!tokens.some(({ digit, start, end }) => digit && end - start >= fewestDigits)) return claims
  for (let at = 1; at < tokens.length && claims.length < maxOfSentence; at += 1) {
    const run = codeRun(tokens, at, scene.text)
    if (run === null || isTold(sentence, run)) continue
    const nouns = nounsFor(said, run)
    const gathering = new Gathering(sentence)
    if (nouns !== null)
      for (let noun = nouns[1] - 1; noun >= nouns[0]; noun -= 1) addNoun(gathering, tokens, noun)
    const measure = gathering.measure(0.8)
    if (measure === null) continue
    claims.push(
      claimFrom(scene.text, {
        ...describe(said, measure, run),
        ...codeValue(tokens, run),
        qualifiers: [],
      }),
    )
  }
  return claims
}

function addNoun(gathering: Gathering, tokens: readonly Token[], at: number): void {
  const { word, sign, digit } = tokenAt(tokens, at)
  if (!sign && !digit && !linking.has(word)) gathering.add(word, at)
}

/** A date, an amount or a length is no name. */
function isTold({ values, runs }: Sentence, [from, to]: Run): boolean {
  return values.some(
    ({ kind }, index) => kind !== 'count' && (runs[index]?.[0] ?? 0) < to && (runs[index]?.[1] ?? 0) > from,
  )
}

/** "Passport number: N4417820". */
export function codeOf(answer: AnswerLine): Claim | null {
  const { scene, asked, sentence } = answer
  const { tokens } = sentence
  const run = codeRun(tokens, 0, scene.text)
  const words = asked.words.filter((word) => !linking.has(word))
  if (run === null || run[1] !== tokens.length || words.length === 0 || words.length > 3) return null
  if (isTold(sentence, run)) return null
  return claimFrom(scene.text, { ...baseOf(answer, words), ...codeValue(tokens, run), confidence: 0.85 })
}

function codeValue(tokens: readonly Token[], run: Run) {
  const valueSpan: Span = [tokenAt(tokens, run[0]).start, tokenAt(tokens, run[1] - 1).end]
  return {
    kind: 'identity' as const,
    value: { type: 'word' as const, family: 'code', word: plainOf(tokens, run), rank: null },
    valueSpan,
  }
}

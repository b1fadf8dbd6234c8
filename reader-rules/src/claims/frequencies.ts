/** How often something is done: "paid monthly", "twice a year", "quarterly payments". Said as the time from one to the next. */
import type { Claim } from '@concord/reading/src/claim.ts'
import { claimFrom } from './build.ts'
import { describe } from './describing.ts'
import type { Said } from './describing.ts'
import { Gathering } from './gathering.ts'
import type { Measure } from './gathering.ts'
import { lightVerbs } from '@concord/reading/src/words/lexicon.ts'
import { isVerb, nounsAfter } from './phrases.ts'
import type { Run } from './phrases.ts'
import { clauseOf } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import { takeChain } from './subject-words.ts'
import { lastVerb, phrasesIn, subjectOf, verbGroup } from './subjects.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'
import { isNominal } from './verbs.ts'

const day = 86_400

/** The lengths as the grammar of values counts months and years. */
const lengths: ReadonlyMap<string, number> = new Map([
  ['day', day],
  ['week', 7 * day],
  ['fortnight', 14 * day],
  ['month', 2_629_800],
  ['quarter', 3 * 2_629_800],
  ['year', 12 * 2_629_800],
  ['annum', 12 * 2_629_800],
])

const adverbs: ReadonlyMap<string, string> = new Map([
  ['daily', 'day'],
  ['weekly', 'week'],
  ['fortnightly', 'fortnight'],
  ['monthly', 'month'],
  ['quarterly', 'quarter'],
  ['annually', 'year'],
  ['yearly', 'year'],
])

const times: ReadonlyMap<string, number> = new Map([
  ['once', 1],
  ['twice', 2],
  ['three', 3],
  ['four', 4],
])

/** Things that are done again and again. */
const repeated = new Set(
  'pay instalment report meeting review inspect audit test check visit backup'.split(' '),
)

export interface Often {
  readonly run: Run
  readonly seconds: number
}

/** One at most: a sentence with two of them is of two things. */
export function frequencyIn(said: Said): Claim | null {
  const { sentence, scene } = said
  const [often, more] = allOften(sentence.tokens)
  if (often === undefined || (more !== undefined && more.run[0] > often.run[1])) return null
  const measure = measureOf(sentence, often.run)
  if (measure === null) return null
  const [first, last] = [tokenAt(sentence.tokens, often.run[0]), tokenAt(sentence.tokens, often.run[1] - 1)]
  return claimFrom(scene.text, {
    ...describe(said, measure, often.run),
    ...lengthOf(often),
    valueSpan: [first.start, last.end],
  })
}

/** The time from one to the next. */
export function lengthOf({ seconds }: Often) {
  return {
    kind: 'duration' as const,
    value: {
      type: 'number' as const,
      low: seconds,
      high: seconds,
      bound: null,
      unit: 's',
      step: day / 24,
      about: false,
    },
    qualifiers: ['often'],
  }
}

function allOften(tokens: readonly Token[]): Often[] {
  const found: Often[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const often = oftenAt(tokens, at)
    if (often !== null) found.push(often)
  }
  return found
}

function oftenAt(tokens: readonly Token[], at: number): Often | null {
  const count = times.get(lowAt(tokens, at))
  if (count !== undefined) return countedAt(tokens, at, count)
  const unit = adverbs.get(lowAt(tokens, at))
  if (unit === undefined) return null
  const seconds = lengths.get(unit)
  // "the monthly rent" is what it costs; "monthly payments" are how often.
  const next = tokenAt(tokens, at + 1)
  const ends = at + 1 >= tokens.length || next.sign || !isNominal(next)
  if (seconds === undefined || at === 0 || !(ends || repeated.has(next.word))) return null
  return times.has(lowAt(tokens, at - 1)) ? null : { run: [at, at + 1], seconds }
}

/** In an answer: "every quarter", "checked once daily". */
export function frequencyOf(tokens: readonly Token[]): Often | null {
  for (let at = 0; at < Math.min(tokens.length, 4); at += 1) {
    const often = oftenAt(tokens, at) ?? (at === 0 ? (everyOne(tokens) ?? adverbAlone(tokens)) : null)
    if (often !== null) return often
  }
  return null
}

function everyOne(tokens: readonly Token[]): Often | null {
  const { low } = tokenAt(tokens, 0)
  const seconds = low === 'every' || low === 'each' ? lengths.get(lowAt(tokens, 1)) : undefined
  return seconds === undefined ? null : { run: [0, 2], seconds }
}

function adverbAlone(tokens: readonly Token[]): Often | null {
  const seconds = lengths.get(adverbs.get(lowAt(tokens, 0)) ?? '')
  return seconds === undefined || tokens.length > 2 ? null : { run: [0, 1], seconds }
}

/** "twice daily", "once a year", "three times per month". */
function countedAt(tokens: readonly Token[], at: number, count: number): Often | null {
  let next = at + 1
  if (count > 2 && lowAt(tokens, next) !== 'times') return null
  if (count > 2) next += 1
  const adverb = adverbs.get(lowAt(tokens, next))
  const linked = /^(?:a|an|per|every|each)$/.test(lowAt(tokens, next))
  const seconds = lengths.get(adverb ?? (linked ? lowAt(tokens, next + 1) : ''))
  if (seconds === undefined) return null
  return { run: [at, adverb === undefined ? next + 2 : next + 1], seconds: seconds / count }
}

/** The deed and what it is done to. */
function measureOf(sentence: Sentence, run: Run): Measure | null {
  const { tokens, taken } = sentence
  const gathering = new Gathering(sentence)
  const clause = clauseOf(sentence, run[0])
  const noun = nounsAfter(tokens, run[1], clause[1], taken)
  if (noun[0] === run[1] && noun[0] < noun[1]) gathering.phrase(noun)
  const verb = lastVerb(tokens, clause[0], run[0])
  if (verb === -1) return gathering.measure(0.7)
  const { word } = tokenAt(tokens, verb)
  if (!lightVerbs.has(word) && word !== 'be') gathering.add(word, verb)
  const passive = isVerb(tokens, verb - 1) && tokenAt(tokens, verb - 1).word === 'be'
  const objects = passive ? [] : phrasesIn(sentence, [verb + 1, run[0]]).filter(({ prep }) => prep !== 'by')
  for (const phrase of objects.slice(0, 1)) gathering.phrase(phrase.run)
  if (objects.length === 0)
    takeChain(sentence, gathering, subjectOf(sentence, clause, verbGroup(tokens, verb, clause[0])))
  return gathering.measure(0.75)
}

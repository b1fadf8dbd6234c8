/** The noun a value hangs on: "revenue of EUR 22.9m", "a review every two years", "sale preparation (0.5)". */
import { Gathering } from './gathering.ts'
import type { Measure } from './gathering.ts'
import { adverbs, determiners, lightNouns } from '@concord/reading/src/words/lexicon.ts'
import { nounsAfter, nounsBefore } from './phrases.ts'
import type { Run } from './phrases.ts'
import type { Sentence } from './sentence.ts'
import { takeSubject } from './subject-words.ts'
import { lastVerb, subjectOf, verbGroup } from './subjects.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

const attaching = new Set(['of', ':', '(', '=', 'every'])

/** "revenue of EUR 22.9m", "sale preparation (0.5)", "a review every two years". */
export function attached(sentence: Sentence, run: Run, clause: Run): Measure | null {
  const { tokens, taken } = sentence
  let at = run[0] - 1
  while (at >= clause[0] && isFiller(tokens, at)) at -= 1
  if (at <= clause[0] || !attaching.has(lowAt(tokens, at))) return every(sentence, run, clause)
  const nouns = nounsBefore(tokens, skipBack(sentence, at, clause[0]), clause[0], taken)
  return nouns[0] === nouns[1] ? null : attachedTo(sentence, nouns, clause)
}

/** The value holds its own "every": "a review every two years". */
function every(sentence: Sentence, run: Run, clause: Run): Measure | null {
  const { tokens, taken } = sentence
  if (lowAt(tokens, run[0]) !== 'every' && lowAt(tokens, run[0] - 1) !== 'every') return null
  const end = lowAt(tokens, run[0]) === 'every' ? run[0] : run[0] - 1
  const nouns = nounsBefore(tokens, end, clause[0], taken)
  return nouns[0] === nouns[1] ? null : attachedTo(sentence, nouns, clause)
}

function attachedTo(sentence: Sentence, nouns: Run, clause: Run): Measure | null {
  const { tokens } = sentence
  const gathering = new Gathering(sentence)
  const verb = lastVerb(tokens, clause[0], nouns[0])
  if (verb !== -1)
    takeSubject(sentence, gathering, subjectOf(sentence, clause, verbGroup(tokens, verb, clause[0])), false)
  light(sentence, gathering, nouns, clause[1])
  if (gathering.words.length === 0) return null
  const before = lowAt(tokens, nouns[0] - 1)
  const prep = determiners.has(before) ? nouns[0] - 2 : nouns[0] - 1
  if (outward.has(lowAt(tokens, prep))) outer(sentence, gathering, prep, clause)
  return gathering.measure(0.85)
}

const outward = new Set(['of', 'in', 'for', 'on', 'to', 'from'])

/** "the price of the stake of EUR 4m", "the migration of the platform (0.4)": the noun further out is the head. */
function outer(sentence: Sentence, gathering: Gathering, prep: number, clause: Run): void {
  const nouns = nounsBefore(sentence.tokens, prep, clause[0], sentence.taken)
  if (nouns[0] < nouns[1]) gathering.lead(() => gathering.phrase(nouns))
}

const timing = new Set(['in', 'for', 'at', 'on', 'by'])

/** Over a period that stands between: "revenue in FY2023 of EUR 4m". */
function skipBack(sentence: Sentence, at: number, floor: number): number {
  let end = at
  while (end > floor && sentence.taken(end - 1)) end -= 1
  return end < at && end > floor && timing.has(lowAt(sentence.tokens, end - 1)) ? end - 1 : at
}

const bounding = new Set('between up total than not no over under above below'.split(' '))

/** Words that stand between a noun and its value: "a ratio of at least", "of up to". */
function isFiller(tokens: readonly Token[], at: number): boolean {
  const low = lowAt(tokens, at)
  if (adverbs.has(low) || determiners.has(low) || bounding.has(low)) return true
  if (low === 'to') return lowAt(tokens, at - 1) === 'up'
  return low === 'at' && /^(?:least|most)$/.test(lowAt(tokens, at + 1))
}

/** A phrase, or what it hands its meaning on to: "number of employees". */
function light(sentence: Sentence, gathering: Gathering, nouns: Run, ceiling: number): void {
  const { tokens, taken } = sentence
  const head = tokenAt(tokens, nouns[1] - 1)
  if (lightNouns.has(head.word) && lowAt(tokens, nouns[1]) === 'of') {
    const inner = nounsAfter(tokens, nouns[1] + 1, ceiling, taken)
    if (inner[0] < inner[1]) gathering.phrase(inner)
  }
  gathering.phrase(nouns)
}

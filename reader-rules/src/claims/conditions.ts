/** In what condition something is, and how it was rated: "in poor condition", "rated Good", "Overall rating: Requires improvement". */
import type { Claim, WordValue } from '@concord/reading/src/claim.ts'
import { claimFrom } from './build.ts'
import { describe } from './describing.ts'
import type { Said } from './describing.ts'
import { Gathering } from './gathering.ts'
import type { Run } from './phrases.ts'
import { clauseOf } from './sentence.ts'
import { lastVerb, subjectOf, verbGroup } from './subjects.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

const ranks: readonly string[] = [
  'poor bad inadequate dilapidated unsatisfactory',
  'fair satisfactory adequate reasonable',
  'good sound excellent outstanding',
]

const words = new Map<string, WordValue>()
ranks.forEach((line, rank) => {
  const [first = ''] = line.split(' ')
  for (const word of line.split(' '))
    words.set(word, { type: 'word', family: 'condition', word: first, rank })
})

const states = new Set(['condition', 'repair', 'order', 'state'])
const rating = new Set(['rated', 'graded', 'judged'])

export interface Condition {
  readonly value: WordValue
  readonly run: Run
}

/** The word at a place, where it tells a condition: "poor", "requires improvement". */
export function conditionAt(tokens: readonly Token[], at: number): Condition | null {
  if (lowAt(tokens, at).startsWith('require') && lowAt(tokens, at + 1) === 'improvement')
    return { value: { type: 'word', family: 'condition', word: 'poor', rank: 0 }, run: [at, at + 2] }
  const value = words.get(lowAt(tokens, at))
  return value === undefined ? null : { value, run: [at, at + 1] }
}

/** Whether what follows it says that a condition is meant: "poor condition", "good repair". */
export function isOfState(tokens: readonly Token[], { run }: Condition): boolean {
  return states.has(lowAt(tokens, run[1]))
}

export function conditionIn(said: Said): Claim | null {
  const { tokens } = said.sentence
  for (let at = 2; at < tokens.length; at += 1) {
    const found = conditionAt(tokens, at)
    if (found === null) continue
    const before = lowAt(tokens, at - 1) === 'very' ? at - 2 : at - 1
    const rated =
      rating.has(lowAt(tokens, before)) ||
      (lowAt(tokens, before) === 'as' && rating.has(lowAt(tokens, before - 1)))
    if (!rated && !(lowAt(tokens, before) === 'in' && isOfState(tokens, found))) continue
    return conditionClaim(said, found, rated ? 'rating' : 'condition')
  }
  return null
}

function conditionClaim(said: Said, { value, run }: Condition, noun: string): Claim | null {
  const { sentence, scene } = said
  const { tokens } = sentence
  const clause = clauseOf(sentence, run[0])
  const verb = lastVerb(tokens, clause[0], run[0])
  if (verb === -1) return null
  const gathering = new Gathering(sentence)
  const subject = subjectOf(sentence, clause, verbGroup(tokens, verb, clause[0]))
  for (const phrase of subject.phrases.slice(0, 2)) gathering.phrase(phrase.run)
  gathering.pronoun = subject.pronoun !== null
  gathering.add(noun, run[0])
  const measure = gathering.measure(0.75)
  if (measure === null) return null
  const [first, last] = [tokenAt(tokens, run[0]), tokenAt(tokens, run[1] - 1)]
  return claimFrom(scene.text, {
    ...describe(said, measure, run),
    kind: 'level',
    value,
    valueSpan: [first.start, last.end],
  })
}

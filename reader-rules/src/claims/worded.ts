/** Answers that are a word: "Yes", "None", "lapsed", "not related", "band D", "good condition". */
import type { Claim } from '@concord/reading/src/claim.ts'
import type { Span } from '@concord/reading/src/format.ts'
import { baseOf, isAnswerWord } from './answers.ts'
import type { AnswerLine, Base } from './answers.ts'
import { claimFrom } from './build.ts'
import { conditionAt, isOfState } from './conditions.ts'
import { sincePeriod } from './periods.ts'
import { stateWord, wordValue } from '@concord/reading/src/values/states.ts'
import { gradeAt, negated } from './states.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

/** "Yes", "None", "lapsed", "not related", "band D". */
export function wordClaim(answer: AnswerLine): Claim | null {
  const { tokens } = answer.sentence
  const { words } = answer.asked
  const first = tokenAt(tokens, 0)
  if (words.length === 0) return null
  const base = baseOf(answer, words)
  const valueSpan: Span = [first.start, first.end]
  const seen = detection(tokens)
  if (seen !== null) {
    return claimFrom(answer.scene.text, {
      ...base,
      kind: 'existence',
      value: { type: 'existence', exists: seen, blanket: false },
      valueSpan,
    })
  }
  const none = first.low === 'none' || first.low === 'nil' || (first.low === 'no' && !tokenAt(tokens, 1).sign)
  if (none)
    return claimFrom(answer.scene.text, {
      ...base,
      kind: 'existence',
      value: { type: 'existence', exists: false, blanket: true },
      valueSpan,
    })
  if (first.low === 'yes' || first.low === 'no') {
    return claimFrom(answer.scene.text, {
      ...base,
      kind: 'status',
      value: { type: 'word', family: 'yes-no', word: first.low, rank: null },
      valueSpan,
      confidence: 0.8,
    })
  }
  return gradeClaim(answer, base) ?? conditionClaim(answer, base) ?? stateClaim(answer, base)
}

const rated = new Set([
  'rating',
  'rate',
  'grade',
  'condition',
  'judgement',
  'effective',
  'effectiveness',
  'state',
])

/** "Roof: good condition", "Overall rating: Requires improvement". */
function conditionClaim({ scene, sentence, asked }: AnswerLine, base: Base): Claim | null {
  const { tokens } = sentence
  const found = conditionAt(tokens, lowAt(tokens, 0) === 'in' ? 1 : 0)
  if (found === null) return null
  const named = isOfState(tokens, found)
  if (!named && !(asked.words.some((word) => rated.has(word)) && found.run[1] === tokens.length)) return null
  const words = named ? [...asked.words, 'condition'] : asked.words
  return claimFrom(scene.text, {
    ...base,
    attribute: { ...base.attribute, words },
    kind: 'level',
    value: found.value,
    valueSpan: [tokenAt(tokens, found.run[0]).start, tokenAt(tokens, found.run[1] - 1).end],
    confidence: 0.8,
  })
}

/** "Yes, valid without gap since 2019": the state counts more than the yes. */
export function stateBehind(answer: AnswerLine): Claim | null {
  const { sentence, asked, scene } = answer
  if (!isAnswerWord(sentence.tokens) || lowAt(sentence.tokens, 1) !== ',') return null
  for (let at = 2; at < Math.min(6, sentence.tokens.length); at += 1) {
    const token = tokenAt(sentence.tokens, at)
    const state = stateWord(token.low)
    if (state === null || state.level || asked.words.length === 0) continue
    const period = sincePeriod(sentence, answer.place, at)
    const base = baseOf(answer, asked.words)
    return claimFrom(scene.text, {
      ...base,
      period: period ?? base.period,
      kind: 'status',
      value: wordValue(state),
      valueSpan: [token.start, token.end],
      confidence: 0.75,
    })
  }
  return null
}

/** "Were all doors locked? Yes": they were locked. */
export function stateAsked(answer: AnswerLine): Claim | null {
  const { sentence, asked, scene } = answer
  const first = tokenAt(sentence.tokens, 0)
  if (first.low !== 'yes' && first.low !== 'no') return null
  const at = asked.tokens.findIndex(
    ({ low }, index) => index > 0 && low.endsWith('ed') && stateWord(low) !== null,
  )
  const token = tokenAt(asked.tokens, at)
  const state = at === -1 ? null : stateWord(token.low)
  const words = asked.words.filter((word) => word !== token.word)
  const value = state === null ? null : first.low === 'yes' ? wordValue(state) : negated(state)
  if (value === null || words.length === 0) return null
  return claimFrom(scene.text, {
    ...baseOf(answer, words),
    kind: 'status',
    value,
    valueSpan: [first.start, first.end],
    confidence: 0.75,
  })
}

/** "not detected", "absent", "present": whether there is any. */
export function detection(tokens: readonly Token[]): boolean | null {
  const low = lowAt(tokens, 0)
  if (
    low === 'absent' ||
    low === 'undetected' ||
    (low === 'not' && /^(?:detected|found|present)$/.test(lowAt(tokens, 1)))
  )
    return false
  return low === 'detected' || low === 'present' || low === 'found' ? true : null
}

function gradeClaim({ scene, sentence, asked }: AnswerLine, base: Base): Claim | null {
  // "Energy rating: D"
  const noun = asked.tokens.at(-1)
  const [first] = sentence.tokens
  const alone = noun !== undefined && first !== undefined && sentence.tokens.length === 1
  const own = alone ? gradeAt([noun, first], 0) : null
  if (own !== null && alone)
    return claimFrom(scene.text, {
      ...base,
      kind: 'level',
      value: own,
      valueSpan: [first.start, first.end],
    })
  for (let at = 0; at < Math.min(3, sentence.tokens.length); at += 1) {
    const grade = gradeAt(sentence.tokens, at)
    const mark = tokenAt(sentence.tokens, at + 1)
    if (grade !== null)
      return claimFrom(scene.text, {
        ...base,
        kind: 'level',
        value: grade,
        valueSpan: [mark.start, mark.end],
      })
  }
  return null
}

function stateClaim({ scene, sentence }: AnswerLine, base: Base): Claim | null {
  const { tokens } = sentence
  if (tokens.length > 8) return null
  const not = lowAt(tokens, 0) === 'not'
  const start = not ? 1 : 0
  const joined = stateWord(`${lowAt(tokens, start)}-${lowAt(tokens, start + 1)}`)
  const state = joined ?? stateWord(lowAt(tokens, start))
  const value = state === null ? null : not ? negated(state) : wordValue(state)
  if (state === null || value === null) return null
  const end = tokenAt(tokens, joined === null ? start : start + 1).end
  const valueSpan: Span = [tokenAt(tokens, 0).start, end]
  return claimFrom(scene.text, {
    ...base,
    kind: state.level ? 'level' : 'status',
    value,
    valueSpan,
    confidence: 0.75,
  })
}

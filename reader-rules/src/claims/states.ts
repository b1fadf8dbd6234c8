/** States and levels: words of closed families that a thing is said to have, "lapsed", "high", "paid", "related". */
import type { Claim, WordValue } from '@concord/reading/src/claim.ts'
import { stateWord, wordValue } from '@concord/reading/src/values/states.ts'
import { claimFrom } from './build.ts'
import { Gathering } from './gathering.ts'
import { isVerb, nounsAfter, nounsBefore } from './phrases.ts'
import type { Run } from './phrases.ts'
import { describe } from './describing.ts'
import type { Said } from './describing.ts'
import { sincePeriod } from './periods.ts'
import { clauseOf } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import { lastVerb, subjectOf, verbGroup } from './subjects.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

const opposite = new Map<string, string>([
  ['valid', 'expired'],
  ['paid', 'unpaid'],
  ['met', 'breached'],
  ['approved', 'rejected'],
  ['related', 'unrelated'],
  ['encrypted', 'unencrypted'],
  ['signed', 'unsigned'],
  ['completed', 'open'],
  ['certified', 'uncertified'],
  ['locked', 'unlocked'],
  ['insured', 'uninsured'],
  ['occupied', 'unoccupied'],
  ['licensed', 'unlicensed'],
  ['manned', 'unmanned'],
  ['damaged', 'undamaged'],
  ['secured', 'unsecured'],
  ['registered', 'unregistered'],
])

const graded = new Set('band grade class category rating tier score'.split(' '))

/** "band D", "grade 2", "category A": the noun at a place and the mark behind it. */
export function gradeAt(tokens: readonly Token[], at: number): WordValue | null {
  const mark = tokenAt(tokens, at + 1)
  const rated = lowAt(tokens, at) === 'rated' || lowAt(tokens, at) === 'graded'
  const noun = tokenAt(tokens, at)
  if (!(rated || graded.has(noun.word) || graded.has(noun.low)) || mark.sign) return null
  if (!/^(?:[a-g]|[a-c]{2,3}|[1-9]|[ivx]{1,4})$/.test(mark.low) || !(mark.capital || mark.digit)) return null
  return {
    type: 'word',
    family: `grade of ${tokenAt(tokens, at).word}`,
    word: mark.low,
    rank: mark.low.length === 1 ? mark.low.charCodeAt(0) : null,
  }
}

export function negated(state: WordValue): WordValue | null {
  const other = opposite.get(state.word)
  const value = other === undefined ? null : stateWord(other)
  return value && wordValue(value)
}

export function statesIn(said: Said): Claim[] {
  const { tokens } = said.sentence
  const first = gradeClaim(said) ?? breachClaim(said)
  if (first !== null) return [first]
  for (let at = 1; at < tokens.length; at += 1) {
    const state = stateWord(tokenAt(tokens, at).low)
    if (state === null) continue
    const moved = movedTo(tokens, at)
    const claim = state.level ? levelClaim(said, at, moved ?? state) : statusClaim(said, at, state)
    if (claim !== null)
      return [moved === null ? claim : { ...claim, replaces: { value: wordValue(state), by: 'change' } }]
  }
  return []
}

/** "raised from medium to high": the level that follows. */
function movedTo(tokens: readonly Token[], at: number): WordValue | null {
  if (lowAt(tokens, at - 1) !== 'from' || lowAt(tokens, at + 1) !== 'to') return null
  return stateWord(lowAt(tokens, at + 2))
}

const copulas = new Set('is are was were remains remain remained been be became'.split(' '))

/** "The certificate lapsed", "all covenants were met", "the sum remains unpaid". */
function statusClaim(said: Said, at: number, state: WordValue): Claim | null {
  const { sentence } = said
  const { tokens } = sentence
  const clause = clauseOf(sentence, at)
  const verb = copulaBefore(tokens, at, clause[0])
  const own =
    verb === -1 &&
    (state.word === 'expired' || state.word === 'passed' || state.word === 'failed') &&
    isVerb(tokens, at)
  if (verb === -1 && !own) return null
  if (agentFollows(tokens, at)) return null
  const group = verbGroup(tokens, own ? at : verb, clause[0])
  const subject = subjectOf(sentence, clause, group)
  const gathering = new Gathering(sentence)
  for (const phrase of subject.phrases.slice(0, 3)) gathering.phrase(phrase.run)
  gathering.pronoun = subject.pronoun !== null
  if (isNo(tokens, clause[0], group)) return null
  const not = denialIn(tokens, group, at)
  const value = not === -1 ? wordValue(state) : negated(state)
  const claim = value && stateClaim(said, gathering, [at, at + 1], value, 'status', 0.65)
  // Without its "not", what is shown as the value would be the opposite of what is said.
  return claim && not !== -1 ? withValue(said, claim, [not, at + 1]) : claim
}

function denialIn(tokens: readonly Token[], from: number, to: number): number {
  return tokens.findIndex(
    ({ low }, index) => index >= from && index < to && (low === 'not' || low === 'never'),
  )
}

function withValue({ scene, sentence }: Said, claim: Claim, run: Run): Claim {
  const valueSpan = spanOf(sentence, run)
  return { ...claim, valueSpan, valueText: scene.text.slice(...valueSpan) }
}

function isNo(tokens: readonly Token[], from: number, to: number): boolean {
  return tokens.slice(from, to).some((token) => token.low === 'no' || token.low === 'none')
}

const between = new Set('not never still now since yet already'.split(' '))

function copulaBefore(tokens: readonly Token[], at: number, floor: number): number {
  for (let index = at - 1; index >= Math.max(floor, at - 4); index -= 1) {
    const { low } = tokenAt(tokens, index)
    if (copulas.has(low)) return index
    if (!between.has(low) && !low.endsWith('ly')) return -1
  }
  return -1
}

/** "met by the Chief", "signed the": the word is a deed with an object of its own. */
function agentFollows(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.low
  return next === 'the' || next === 'a' || next === 'an'
}

/** "puts the building in band D": what has the grade is the subject, or the certificate that gives it. */
function gradeClaim(said: Said): Claim | null {
  const { sentence } = said
  const { tokens, taken } = sentence
  for (let at = 0; at + 1 < tokens.length; at += 1) {
    const value = gradeAt(tokens, at)
    if (value === null || (taken(at + 1) && !tokenAt(tokens, at + 1).digit)) continue
    const gathering = new Gathering(sentence)
    const clause = clauseOf(sentence, at)
    const verb = lastVerb(tokens, clause[0], at)
    const subject = verb === -1 ? null : subjectOf(sentence, clause, verbGroup(tokens, verb, clause[0]))
    if (subject !== null) for (const phrase of subject.phrases.slice(0, 2)) gathering.phrase(phrase.run)
    else gathering.phrase(nounsBefore(tokens, at, clause[0], taken))
    gathering.add(tokenAt(tokens, at).word, at)
    return stateClaim(said, gathering, [at + 1, at + 2], value, 'level', 0.8)
  }
  return null
}

/** "the breach of the leverage covenant": the covenant was breached. */
function breachClaim(said: Said): Claim | null {
  const { tokens, taken } = said.sentence
  const at = tokens.findIndex((token, index) => token.word === 'breach' && lowAt(tokens, index + 1) === 'of')
  const value = stateWord('breached')
  if (at === -1 || value === null || tokens.some((token) => token.low === 'no' || token.low === 'any'))
    return null
  const nouns = nounsAfter(tokens, at + 2, tokens.length, taken)
  if (nouns[0] === nouns[1]) return null
  const gathering = new Gathering(said.sentence)
  gathering.phrase(nouns)
  return stateClaim(said, gathering, [at, at + 1], wordValue(value), 'status', 0.7)
}

const levelNouns = new Set('risk class rating level band grade severity priority category score'.split(' '))

/** Words that grade whatever is said to be so: "the erosion is minor". */
const extents = new Set('minor moderate severe'.split(' '))

/** "rated high", "risk class medium", "the risk is low". */
function levelClaim(said: Said, at: number, state: WordValue): Claim | null {
  const { sentence } = said
  const { tokens } = sentence
  const clause = clauseOf(sentence, at)
  const gathering = new Gathering(sentence)
  const before = tokenAt(tokens, at - 1)
  const verb = copulaBefore(tokens, at, clause[0])
  if (before.low === 'from') takeLevelSubject(said, gathering, at)
  else if (levelNouns.has(before.word)) gathering.phrase(nounsBefore(tokens, at, clause[0], sentence.taken))
  else if (verb !== -1 || before.low === 'rated' || before.low === 'as' || before.low === 'to') {
    const from = verb === -1 ? at - 1 : verb
    const subject = subjectOf(sentence, clause, verbGroup(tokens, from, clause[0]))
    for (const phrase of subject.phrases.slice(0, 2)) gathering.phrase(phrase.run)
  }
  const ranks = gathering.words.some((word) => levelNouns.has(word))
  if (!ranks && (verb === -1 || !extents.has(tokenAt(tokens, at).low))) return null
  return stateClaim(said, gathering, [at, at + 1], wordValue(state), 'level', 0.7)
}

function takeLevelSubject({ sentence }: Said, gathering: Gathering, at: number): void {
  const clause = clauseOf(sentence, at)
  const verb = lastVerb(sentence.tokens, clause[0], at)
  if (verb === -1) return
  const subject = subjectOf(sentence, clause, verbGroup(sentence.tokens, verb, clause[0]))
  for (const phrase of subject.phrases.slice(0, 2)) gathering.phrase(phrase.run)
}

function stateClaim(
  said: Said,
  gathering: Gathering,
  run: Run,
  value: WordValue,
  kind: 'status' | 'level',
  sure: number,
): Claim | null {
  const measure = gathering.measure(sure) ?? alone(gathering, value, run)
  if (measure === null) return null
  const { sentence, scene } = said
  const draft = describe(said, measure, run)
  return claimFrom(scene.text, {
    ...draft,
    kind,
    value,
    valueSpan: spanOf(sentence, run),
    period: sincePeriod(sentence, said.place, run[0]) ?? said.place.period,
  })
}

/** Only a name or a pronoun has the state: the family is the attribute. */
function alone(gathering: Gathering, value: WordValue, run: Run) {
  if (gathering.name === null && !gathering.pronoun && !gathering.whole) return null
  gathering.add(value.family, run[0])
  return gathering.measure(0.5)
}

function spanOf({ tokens }: Sentence, run: Run): readonly [number, number] {
  return [tokens[run[0]]?.start ?? 0, tokens[run[1] - 1]?.end ?? 0]
}

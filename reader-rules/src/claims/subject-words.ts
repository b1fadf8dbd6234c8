/** Takes the subject of a clause into a measure: as its name only, or with its words. */
import { Gathering, isWhole } from './gathering.ts'
import { lightNouns, titles } from '@concord/reading/src/words/lexicon.ts'
import type { Name } from './names.ts'
import { isVerb } from './phrases.ts'
import type { Run } from './phrases.ts'
import type { Sentence } from './sentence.ts'
import { firstVerb, nameIn, phrasesIn, subjectOf } from './subjects.ts'
import type { Phrase, ClaimSubject } from './subjects.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'

/** The last verb of a group: of "will have been randomised" the last. */
export function mainVerb(tokens: readonly Token[], verb: number, ceiling: number): number {
  let at = verb
  while (at + 1 < ceiling && continues(tokens, at + 1)) at += 1
  while (at > verb && !isVerb(tokens, at)) at -= 1
  return at
}

function continues(tokens: readonly Token[], at: number): boolean {
  const low = lowAt(tokens, at)
  return isVerb(tokens, at) || low.endsWith('ly') || low === 'not'
}

export function takeSubject(
  sentence: Sentence,
  gathering: Gathering,
  subject: ClaimSubject,
  words: boolean,
): void {
  const { pronoun } = subject
  if (pronoun === 'we' || pronoun === 'i') gathering.whole = true
  else if (pronoun !== null && pronoun !== 'there' && gathering.name === null) gathering.pronoun = true
  for (const phrase of subject.phrases.slice(0, 3)) takePhrase(sentence, gathering, phrase, words)
}

function takePhrase(sentence: Sentence, gathering: Gathering, phrase: Phrase, words: boolean): void {
  if (words) {
    gathering.phrase(phrase.run)
    return
  }
  const name = nameIn(sentence, phrase.run)
  if (name !== null && gathering.name === null && !isTeller(sentence, name)) gathering.named(name)
  if (isWhole(sentence.tokens, phrase.run[1] - 1)) gathering.whole = true
}

const saying = new Set(
  `report confirm state note say tell explain announce mention present estimate propose recommend add put point inform
   inspect record write declare advise`.split(/\s+/),
)

/** "Ms Hart reported revenue of": who says it is not what it is said of; a company that reports its revenue is. */
function isTeller({ tokens }: Sentence, { run }: Name): boolean {
  const titled = titles.has(lowAt(tokens, run[0])) || titles.has(lowAt(tokens, run[0] - 1))
  return titled && saying.has(tokenAt(tokens, mainVerb(tokens, run[1], tokens.length)).word)
}

const handing = new Set(['of', 'for'])

/** A subject as words: the head of its first phrase, then the phrases behind it; a light head comes last. */
export function takeChain(sentence: Sentence, gathering: Gathering, subject: ClaimSubject): void {
  const [first, second] = subject.phrases
  if (
    first !== undefined &&
    second !== undefined &&
    handing.has(second.prep ?? '') &&
    lightNouns.has(tokenAt(sentence.tokens, first.run[1] - 1).word)
  ) {
    gathering.phrase(second.run)
  }
  takeSubject(sentence, gathering, subject, true)
}

/** The words of the subject of a clause; of "X is Y" those of Y too. */
export function subjectWords(sentence: Sentence, clause: Run): readonly string[] {
  const verb = firstVerb(sentence.tokens, clause)
  if (verb === -1) return []
  const gathering = new Gathering(sentence)
  for (const phrase of subjectOf(sentence, clause, verb).phrases.slice(0, 2)) gathering.phrase(phrase.run)
  if (tokenAt(sentence.tokens, verb).word === 'be') {
    for (const phrase of phrasesIn(sentence, [verb + 1, clause[1]]).slice(0, 1)) gathering.phrase(phrase.run)
  }
  return gathering.telling().slice(0, 4)
}

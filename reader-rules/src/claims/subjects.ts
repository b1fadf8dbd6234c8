/** The grammatical subject of a clause and what hangs on it: "the net debt of the Group", "it", "which". */
import { determiners, prepositions, pronouns, relatives, titles } from '@concord/reading/src/words/lexicon.ts'
import type { Name } from './names.ts'
import { isVerb } from './phrases.ts'
import { isNominal } from './verbs.ts'
import { runAt } from './phrases.ts'
import type { Run } from './phrases.ts'
import { clauseOf } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import { tokenAt } from './token.ts'
import type { Token } from './token.ts'

export interface Phrase {
  /** The nouns without article; the last is the head. */
  readonly run: Run
  readonly prep: string | null
}

/** The noun phrases between two tokens, each with the preposition before it; what stands in brackets is left out. */
export function phrasesIn(sentence: Sentence, [from, to]: Run): Phrase[] {
  const { tokens, taken } = sentence
  const phrases: Phrase[] = []
  let prep: string | null = null
  let depth = 0
  for (let at = from; at < to;) {
    const token = tokenAt(tokens, at)
    if (token.low === '(') depth += 1
    else if (token.low === ')') depth = Math.max(0, depth - 1)
    if (depth === 0 && isPhraseWord(sentence, at)) {
      const begin = at
      while (at < to && isPhraseWord(sentence, at) && !(at > begin && tokenAt(tokens, at - 1).possessive))
        at += 1
      phrases.push({ run: [begin, at], prep })
      prep = tokenAt(tokens, at - 1).possessive ? 'possessive' : null
    } else {
      if (depth === 0 && !taken(at)) prep = linkOf(tokens, at, prep)
      else if (depth === 0) prep = null
      at += 1
    }
  }
  return phrases
}

function isPhraseWord({ tokens, taken }: Sentence, at: number): boolean {
  return !taken(at) && isNominal(tokens[at]) && !isVerb(tokens, at)
}

/** The link that the next phrase hangs on: a preposition or a verb; articles and titles leave it as it is. */
function linkOf(tokens: readonly Token[], at: number, prep: string | null): string | null {
  const { low } = tokenAt(tokens, at)
  if (prepositions.has(low)) return low
  if (isVerb(tokens, at)) return 'verb'
  return determiners.has(low) || titles.has(low) || low === ')' ? prep : null
}

/** The first token of the group of verbs that ends with the one given: "had not been kept". */
export function verbGroup(tokens: readonly Token[], verb: number, floor: number): number {
  let from = verb
  while (from > floor && (isVerb(tokens, from - 1) || isAdverbial(tokens[from - 1]))) from -= 1
  while (from < verb && !isVerb(tokens, from)) from += 1
  return from
}

const adverbial = new Set('not never no now also therefore to yet still already ever since'.split(' '))

function isAdverbial(token: Token | undefined): boolean {
  return token !== undefined && (adverbial.has(token.low) || token.low.endsWith('ly'))
}

export interface ClaimSubject {
  /** Its phrases, the nearest head first. */
  readonly phrases: readonly Phrase[]
  readonly pronoun: string | null
}

const none: ClaimSubject = { phrases: [], pronoun: null }

/** The subject before the verb of a clause; in "which" and "and" clauses, what they hang on. */
export function subjectOf(sentence: Sentence, clause: Run, verb: number): ClaimSubject {
  const [start] = clause
  const own = readSubject(sentence, [start, verb])
  if (own.phrases.length > 0 || own.pronoun !== null || start === 0) return own
  return inherited(sentence, start)
}

function inherited(sentence: Sentence, start: number): ClaimSubject {
  const { tokens } = sentence
  const opener = tokenAt(tokens, start).low
  const before = clauseOf(sentence, start - 1)
  const end = tokenAt(tokens, start - 1).sign ? start - 1 : start
  if (opener === 'which' || opener === 'who' || opener === 'whose') {
    const phrases = phrasesIn(sentence, [before[0], end])
    return phrases.length > 0 ? { phrases: phrases.slice(-1), pronoun: null } : none
  }
  const verb = firstVerb(tokens, before)
  return verb === -1 ? none : readSubject(sentence, [before[0], verb])
}

export function firstVerb(tokens: readonly Token[], [from, to]: Run): number {
  for (let at = from; at < to; at += 1) if (isVerb(tokens, at)) return at
  return -1
}

/** The last verb before a token within its clause; -1 where none is. */
export function lastVerb(tokens: readonly Token[], floor: number, before: number): number {
  for (let at = before - 1; at >= floor; at -= 1) if (isVerb(tokens, at)) return at
  return -1
}

function readSubject(sentence: Sentence, [from, to]: Run): ClaimSubject {
  const segments = cutAtCommas(sentence, [from, to])
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    const segment = runAt(segments, index)
    const subject = readSegment(sentence, segment, index === 0)
    if (subject !== null) return subject
  }
  return none
}

function cutAtCommas({ tokens }: Sentence, [from, to]: Run): Run[] {
  const segments: Run[] = []
  let begin = from
  let depth = 0
  for (let at = from; at <= to; at += 1) {
    const { low } = tokenAt(tokens, at)
    if (at < to && low === '(') depth += 1
    else if (at < to && low === ')') depth = Math.max(0, depth - 1)
    if (at < to && (low !== ',' || depth > 0)) continue
    if (at > begin) segments.push([begin, at])
    begin = at + 1
  }
  return segments
}

/** The subject within one stretch between commas, or null where the stretch is an insertion. */
function readSegment(sentence: Sentence, segment: Run, first: boolean): ClaimSubject | null {
  const { tokens } = sentence
  const opener = tokenAt(tokens, segment[0])
  if (!first && (relatives.has(opener.low) || prepositions.has(opener.low) || opener.verb)) return null
  const phrases = phrasesIn(sentence, segment)
  let core = -1
  phrases.forEach((phrase, index) => {
    if (phrase.prep === null) core = index
  })
  if (core === -1) return pronounIn(sentence, segment)
  // Only the phrases that hang on the core by prepositions belong to it; a list "A, B and C" keeps its first head.
  return { phrases: phrases.slice(core), pronoun: null }
}

function pronounIn({ tokens, taken }: Sentence, [from, to]: Run): ClaimSubject | null {
  for (let at = to - 1; at >= from; at -= 1) {
    const { low } = tokenAt(tokens, at)
    if (pronouns.has(low) && !taken(at)) return { phrases: [], pronoun: low }
  }
  return null
}

/** The name that a stretch of tokens holds, the first one. */
export function nameIn(sentence: Sentence, run: Run): Name | null {
  return sentence.names.find((name) => name.run[0] < run[1] && name.run[1] > run[0]) ?? null
}

/**
 * What judging asks of a claim again and again, worked out once: a claim of a group is judged against up to 23 others.
 */
import type { Claim, ClaimKind } from '../../domain/claim.ts'
import { canonicalWord, generalSubjects, isNoise, telling, vague } from './words.ts'

export interface Prepared {
  readonly claim: Claim
  readonly family: string
  /** What is measured, the head first. */
  readonly words: readonly string[]
  readonly head: string
  /** Ways to write the whole measure in one short word: `arr`. */
  readonly initials: readonly string[]
  readonly subject: readonly string[]
  /** `named` in the clause or row; `document` where only a heading or the document tells; `none`. */
  readonly subjectFrom: 'named' | 'document' | 'none'
  readonly context: readonly string[]
  /** All that the sentence says beside its value, sorted: near-equal bags are one sentence told twice. */
  readonly bag: readonly string[]
}

const families: Readonly<Record<Exclude<ClaimKind, 'level' | 'status'>, string>> = {
  money: 'money',
  percent: 'percent',
  count: 'count',
  measure: 'measure',
  ratio: 'ratio',
  date: 'date',
  duration: 'duration',
  version: 'version',
  existence: 'any',
  identity: 'who',
}

/** Claims of one family have values that can be held against each other. */
export function familyOf(claim: Claim): string {
  if (claim.value.type === 'word')
    return claim.value.family === 'yes-no' ? 'any' : `word:${claim.value.family}`
  if (claim.value.type === 'existence') return 'any'
  if (claim.kind === 'level' || claim.kind === 'status') return claim.kind
  return families[claim.kind]
}

const initialsMark = 'initials:'
const longestInitials = 5

/** The short forms a measure may have: its words come head first, so "annual recurring revenue" gives `rr` and `arr`. */
export function initialsOf(claim: Claim): string[] {
  const { words } = claim.attribute
  const forms: string[] = []
  let letters = (words[0] ?? '').charAt(0)
  for (const word of words.slice(1, longestInitials)) {
    letters = word.charAt(0) + letters
    forms.push(letters)
  }
  return forms
}

/** The words of the measure that say something, each once, the head first. */
export function measureWords(claim: Claim): string[] {
  const words: string[] = []
  for (const word of claim.attribute.words) {
    const one = canonicalWord(word)
    if (!isNoise(one) && !words.includes(one) && !isQualifier(claim, one)) words.push(one)
  }
  return words
}

/** "Restated" and "consolidated" are told by the qualifiers; as words they would make another measure. */
function isQualifier({ qualifiers, attribute }: Claim, word: string): boolean {
  if (qualifiers.length === 0 || attribute.words.length < 2) return false
  return qualifiers.includes(`${word}d`) || qualifiers.includes(`${word}ed`)
}

function subjectFrom(claim: Claim): Prepared['subjectFrom'] {
  const { from, words } = claim.subject
  if (from === 'none' || words.length === 0) return 'none'
  if (from === 'document' || from === 'heading') return 'document'
  return words.every((word) => generalSubjects.has(word) || isNoise(word)) ? 'document' : 'named'
}

function contextWords(claim: Claim): string[] {
  return claim.context.filter((word) => !word.startsWith(initialsMark)).map(canonicalWord)
}

function isTelling(word: string): boolean {
  return !vague.has(word) && !telling.has(word) && !isNoise(word)
}

/** What is likeliest to be the rarest word of a sentence: its longest. One told twice has it twice. */
export function rarestWord(claim: Claim): string | null {
  let rarest: string | null = null
  for (const word of [...measureWords(claim), ...contextWords(claim)]) {
    if (!isTelling(word)) continue
    if (rarest === null || word.length > rarest.length || (word.length === rarest.length && word < rarest))
      rarest = word
  }
  return rarest
}

export function prepare(claim: Claim): Prepared {
  const words = measureWords(claim)
  const subject = claim.subject.words.map(canonicalWord)
  const context = contextWords(claim)
  const named = subjectFrom(claim) === 'named' ? subject : []
  return {
    claim,
    family: familyOf(claim),
    words,
    head: words[0] ?? '',
    initials: initialsOf(claim),
    subject,
    subjectFrom: subjectFrom(claim),
    context,
    bag: [...new Set([...words, ...context, ...named])].filter(isTelling).toSorted(),
  }
}

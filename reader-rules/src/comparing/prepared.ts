/**
 * A claim with everything that judging asks again and again, worked out once: a claim of a group is judged against up to 23 others.
 */
import type { Claim, ClaimKind } from '@concord/reading/src/claim.ts'
import {
  canonicalWord,
  duties,
  generalSubjects,
  isNoise,
  partWords,
  scenarioWords,
  telling,
  vague,
} from './words.ts'

export interface Prepared {
  readonly claim: Claim
  readonly family: string
  /** The words of the measure, the head first. */
  readonly words: readonly string[]
  readonly head: string
  /** Ways to write the whole measure in one short word: `arr`. */
  readonly initials: readonly string[]
  readonly subject: readonly string[]
  /** `named` in the clause or row; `document` where only a heading or the document tells; `none`. */
  readonly subjectFrom: 'named' | 'document' | 'none'
  readonly context: readonly string[]
  /** The number of what its document is about. */
  readonly mark: string | null
  /** All that the sentence says beside its value, sorted: near-equal bags are one sentence told twice. */
  readonly bag: readonly string[]
  /** The words of a supposed world that a figure is of, sorted. */
  readonly scenario: string
  /** Speaks of what is owed, and of a part of the whole. */
  readonly duty: boolean
  readonly part: boolean
  /** Whether an amount is said to hold the tax. */
  readonly tax: 'with' | 'without' | null
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

const marking = 'document:'

function markOf({ qualifiers, subject: { words, from } }: Claim): string | null {
  const told = qualifiers.find((qualifier) => qualifier.startsWith(marking))
  if (told !== undefined) return told.slice(marking.length)
  return from === 'document' ? (words.find((word) => /\d/.test(word)) ?? null) : null
}

function isTelling(word: string): boolean {
  return !vague.has(word) && !telling.has(word) && !isNoise(word)
}

/** The likely rarest word of measure and sentence: the longest. A sentence told twice has it twice. */
export function rarestWord(words: readonly string[], { context }: Claim): string | null {
  let rarest: string | null = null
  for (const word of words) rarest = rarerOf(rarest, word)
  for (const word of context)
    if (!word.startsWith(initialsMark)) rarest = rarerOf(rarest, canonicalWord(word))
  return rarest
}

function rarerOf(rarest: string | null, word: string): string | null {
  const rarer =
    rarest === null || word.length > rarest.length || (word.length === rarest.length && word < rarest)
  return rarer && isTelling(word) ? word : rarest
}

/** The world a figure is of, where words tell; "in that case" is one as well. */
function scenarioOf(claim: Claim, words: readonly string[], context: readonly string[]): string {
  if (claim.value.type !== 'number') return ''
  const found = words.filter((word) => word === 'case' || scenarioWords.has(word))
  for (const word of context) if (scenarioWords.has(word)) found.push(word)
  return found.length > 1 ? found.toSorted().join(' ') : (found[0] ?? '')
}

const withoutTax = /\b(?:without|excluding|excl\.?|exclusive of|net of|before|plus)\s+(?:vat|tax)/i
const withTax = /\b(?:including|incl\.?|inclusive of|with)\s+(?:vat|tax)/i

function taxOf(claim: Claim, words: readonly string[], context: readonly string[]): Prepared['tax'] {
  if (claim.kind !== 'money') return null
  if (![words, context].some((list) => list.includes('vat') || list.includes('tax'))) return null
  if (withTax.test(claim.quote)) return 'with'
  return withoutTax.test(claim.quote) || context.includes('without') ? 'without' : null
}

function bagOf(words: readonly string[], context: readonly string[], named: readonly string[]): string[] {
  const bag = new Set<string>()
  for (const list of [words, context, named]) for (const word of list) if (isTelling(word)) bag.add(word)
  return [...bag].toSorted()
}

export function prepare(claim: Claim): Prepared {
  const words = measureWords(claim)
  const subject = claim.subject.words.map(canonicalWord)
  const context = contextWords(claim)
  const from = subjectFrom(claim)
  return {
    claim,
    family: familyOf(claim),
    words,
    head: words[0] ?? '',
    initials: initialsOf(claim),
    subject,
    subjectFrom: from,
    context,
    mark: markOf(claim),
    bag: bagOf(words, context, from === 'named' ? subject : []),
    scenario: scenarioOf(claim, words, context),
    duty: words.some((word) => duties.has(word)) || context.some((word) => duties.has(word)),
    tax: taxOf(claim, words, context),
    part: words.some((word) => partWords.has(word)) || context.some((word) => partWords.has(word)),
  }
}

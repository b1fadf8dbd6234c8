/** Collects the words of a measure, head first and none twice, and the names that go with them. */
import { canonical } from '@concord/reading/src/words/canon.ts'
import {
  adverbs,
  determiners,
  documentParts,
  emptyWords,
  kindNouns,
  titles,
  wholes,
} from '@concord/reading/src/words/lexicon.ts'
import { isBasis } from './modes.ts'
import type { Name } from './names.ts'
import type { Run } from './phrases.ts'
import type { Sentence } from './sentence.ts'
import { tokenAt } from './token.ts'
import type { Token } from './token.ts'

/** The measure of a value, or what is denied, stated or held. */
export interface Measure {
  /** The head first. */
  readonly words: readonly string[]
  readonly run: Run
  readonly name: Name | null
  /** "the Group", "we": the document's own subject. */
  readonly whole: boolean
  /** "it", "they": the subject of the sentence before. */
  readonly pronoun: boolean
  readonly confidence: number
}

const maxWords = 6

export class Gathering {
  readonly words: string[] = []
  name: Name | null = null
  whole = false
  pronoun = false
  #from = Infinity
  #to = 0
  /** Words for the whole: left out unless the measure would be a bare deed, as in "the lease ends". */
  readonly #wholes: string[] = []
  readonly #sentence: Sentence

  constructor(sentence: Sentence) {
    this.#sentence = sentence
  }

  /** A phrase: head first, then what narrows it. The first name is the subject, further ones narrow. */
  phrase([from, to]: Run): void {
    const { tokens, names } = this.#sentence
    let late: number | null = null
    for (let at = to - 1; at >= from; at -= 1) {
      const name = names.find((each) => at >= each.run[0] && at < each.run[1])
      if (name !== undefined) {
        this.named(name)
        at = name.run[0]
      } else if (at === to - 1 && to - from > 1 && kindNouns.has(tokenAt(tokens, at).word)) late = at
      else this.#noun(tokens, at, to)
    }
    if (late !== null) this.#noun(tokens, late, to)
  }

  named(name: Name): void {
    if (this.name === null && !this.pronoun) this.name = name
    else if (this.name !== name) for (const word of name.words) this.add(word, name.run[0])
  }

  #noun(tokens: readonly Token[], at: number, to: number): void {
    const token = tokenAt(tokens, at)
    if (this.#sentence.taken(at) || adverbs.has(token.low) || determiners.has(token.low)) return
    if (documentParts.has(token.low) && (tokenAt(tokens, at + 1).digit || tokenAt(tokens, at + 1).capital))
      return
    if (titles.has(token.low) || isBasis(token.low) || this.#isOrdinal(token, at) || isLastYear(tokens, at))
      return
    if (at === to - 1 && isWhole(tokens, at)) {
      this.whole = true
      this.#wholes.push(token.word)
    } else
      this.add(
        token.low === 'turnover' && tokenAt(tokens, at - 1).word === 'employee' ? 'turnover' : token.word,
        at,
      )
  }

  /** "the last two years", "the first 12 months". */
  #isOrdinal(token: Token, at: number): boolean {
    return this.#sentence.taken(at + 1) && /^(?:last|past|previous|next|coming|first|prior)$/.test(token.low)
  }

  add(word: string, at: number): void {
    if (this.words.length < maxWords && !this.words.includes(word)) this.words.push(word)
    this.#from = Math.min(this.#from, at)
    this.#to = Math.max(this.#to, at + 1)
  }

  /** "Uptime SLA was 99 %": a capitalised measure looks like a name, but nothing else is measured. */
  nameAsWords(): void {
    const { name } = this
    if (name === null || name.words.some((word) => /\d/.test(word))) return
    this.name = null
    for (const word of name.words.toReversed()) this.add(canonical(word), name.run[0])
  }

  /** Puts words before those that are there. */
  lead(fill: () => void): void {
    const inner = this.words.splice(0)
    fill()
    for (const word of inner) this.add(word, Number.isFinite(this.#from) ? this.#from : 0)
  }

  /** The words without those that say nothing, unless nothing else is there. */
  telling(): readonly string[] {
    const works = this.words.includes('work') && this.words.includes('person')
    const words = (works ? ['employee', ...this.words.filter((word) => word !== 'work')] : this.words).filter(
      (word) => !emptyWords.has(word) && !(word === 'person' && (works || this.words.includes('employee'))),
    )
    if (words.length === 0) return this.words
    return words.length === 1 ? [...words, ...this.#wholes.filter((word) => !words.includes(word))] : words
  }

  measure(confidence: number): Measure | null {
    const words = this.telling()
    if (words.length === 0) return null
    const { name, whole, pronoun } = this
    return { words, run: [this.#from, this.#to], name, whole, pronoun, confidence }
  }
}

const time = /^(?:year|month|quarter|week|summer|winter)$/
const near = /^(?:last|next|previous)$/

/** "turnover last year": when, and not what. */
function isLastYear(tokens: readonly Token[], at: number): boolean {
  const { low } = tokenAt(tokens, at)
  return (
    (near.test(low) && time.test(tokenAt(tokens, at + 1).low)) ||
    (time.test(low) && near.test(tokenAt(tokens, at - 1).low))
  )
}

/** "the Group", "the whole Group", "our company": the thing the document is about, not any of its kind. */
export function isWhole(tokens: readonly Token[], at: number): boolean {
  const token = tokenAt(tokens, at)
  if (
    !wholes.has(token.word) ||
    (token.low.endsWith('s') && token.low !== token.word && !token.low.endsWith('ss'))
  )
    return false
  const before = tokenAt(tokens, at - 1).low
  return (
    before === 'the' ||
    before === 'our' ||
    before === 'this' ||
    (before === 'whole' && tokenAt(tokens, at - 2).low === 'the')
  )
}

/**
 * The stages of reading on one core, without a service around them: structure, claims, keys, and comparing with what the
 * other documents say under the same keys. Beside it the least that anybody has to do with a text: finding its words and
 * sentences with what the platform has for that.
 */
import type { MeasuredClaim, Functions } from './functions.ts'
import { createScope } from './growing-scope.ts'

export interface ReadingStage {
  readonly name: string
  /** Microseconds a document. */
  readonly micros: number
}

interface Read {
  readonly text: string
  readonly structure: object
  readonly claims: readonly MeasuredClaim[]
}

const ROUNDS = 5

export function measureStages(functions: Functions, texts: readonly string[]): ReadingStage[] {
  const read = texts.map((text) => readOne(functions, text))
  const { readStructure, readClaims, keysOf, valueKeyOf } = functions
  return [
    time('words and sentences, bare', read, ({ text }) => segment(text)),
    time('structure', read, ({ text }) => readStructure(text)),
    time('claims', read, ({ text, structure }) => readClaims(text, structure)),
    time('keys', read, ({ claims }) => claims.map((claim) => [keysOf(claim), valueKeyOf(claim)])),
    timeComparing(functions, read),
  ]
}

export function countClaims({ readStructure, readClaims }: Functions, texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + readClaims(text, readStructure(text)).length, 0) / texts.length
}

function readOne({ readStructure, readClaims }: Functions, text: string): Read {
  const structure = readStructure(text)
  return { text, structure, claims: readClaims(text, structure) }
}

const words = new Intl.Segmenter('en', { granularity: 'word' })
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Paragraph by paragraph: on one long string it is many times slower. */
function segment(text: string): number {
  let count = 0
  for (const paragraph of text.split('\n')) {
    for (const { isWordLike } of words.segment(paragraph)) count += isWordLike ? 1 : 0
    for (const _ of sentences.segment(paragraph)) count += 1
  }
  return count
}

/** The least of several rounds, the first of which only warms up. */
function time(name: string, documents: readonly Read[], work: (document: Read) => unknown): ReadingStage {
  return leastOf(name, documents.length, () => {
    const started = performance.now()
    for (const document of documents) work(document)
    return performance.now() - started
  })
}

/** Measures the comparison of the second half of the documents, in a scope that has the first; what was worked out of a claim is kept, as the service does. */
function timeComparing(functions: Functions, documents: readonly Read[]): ReadingStage {
  const half = Math.floor(documents.length / 2)
  return leastOf('compare', documents.length - half, () => {
    const scope = createScope(functions)
    const memory = new WeakMap<MeasuredClaim, never>()
    let spent = 0
    for (const [number, { claims }] of documents.entries()) {
      const groups = scope.add(`d${number}`, claims)
      const started = performance.now()
      for (const [key, group] of groups)
        functions.findIn(
          key,
          group.map(({ placed }) => placed),
          memory,
        )
      if (number >= half) spent += performance.now() - started
    }
    return spent
  })
}

function leastOf(name: string, documents: number, measure: () => number): ReadingStage {
  const rounds = Array.from({ length: ROUNDS + 1 }, measure)
  return { name, micros: (Math.min(...rounds.slice(1)) * 1000) / documents }
}

/**
 * The stages of reading on one core, without a service around them: structure, claims, keys, and comparing with what the
 * other documents say under the same keys. Beside it the least that anybody has to do with a text: finding its words and
 * sentences with what the platform has for that.
 */
import type { Functions, Placed } from './functions.ts'

export interface Stage {
  readonly name: string
  /** Microseconds a document. */
  readonly micros: number
}

interface Prepared {
  readonly text: string
  readonly structure: object
  readonly claims: readonly Placed[]
  readonly keys: readonly string[]
}

/** As many claims of a group are compared with each other; the service keeps to the same bound. */
const GROUP = 24
const ROUNDS = 5

export function measureStages(functions: Functions, texts: readonly string[]): Stage[] {
  const prepared = texts.map((text, number) => prepare(functions, text, number))
  const groups = fileClaims(functions, prepared)
  const { readStructure, readClaims, keysOf, valueKeyOf, findIn } = functions
  return [
    time('words and sentences, bare', prepared, ({ text }) => segment(text)),
    time('structure', prepared, ({ text }) => readStructure(text)),
    time('claims', prepared, ({ text, structure }) => readClaims(text, structure)),
    time('keys', prepared, ({ claims }) => claims.map(({ claim }) => [keysOf(claim), valueKeyOf(claim)])),
    time('compare', prepared, ({ keys }) => keys.map((key) => findIn(key, groups.get(key) ?? []))),
  ]
}

export function countClaims({ readStructure, readClaims }: Functions, texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + readClaims(text, readStructure(text)).length, 0) / texts.length
}

function prepare({ readStructure, readClaims, keysOf }: Functions, text: string, number: number): Prepared {
  const structure = readStructure(text)
  const claims = readClaims(text, structure).map((claim, no) => {
    return { documentId: `d${number}`, version: 1, no, claim }
  })
  return { text, structure, claims, keys: [...new Set(claims.flatMap(({ claim }) => keysOf(claim)))] }
}

/** One claim for each value, and not more than a group may have. */
function fileClaims(
  { keysOf, valueKeyOf }: Functions,
  documents: readonly Prepared[],
): Map<string, Placed[]> {
  const groups = new Map<string, Map<string, Placed>>()
  for (const placed of documents.flatMap(({ claims }) => claims)) {
    for (const key of keysOf(placed.claim)) {
      const group = groups.get(key) ?? new Map<string, Placed>()
      const value = valueKeyOf(placed.claim)
      if (!group.has(value) && group.size < GROUP) group.set(value, placed)
      groups.set(key, group)
    }
  }
  return new Map([...groups].map(([key, group]) => [key, [...group.values()]]))
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
function time(name: string, documents: readonly Prepared[], work: (document: Prepared) => unknown): Stage {
  let least = Infinity
  for (let round = 0; round <= ROUNDS; round += 1) {
    const started = performance.now()
    for (const document of documents) work(document)
    if (round > 0) least = Math.min(least, performance.now() - started)
  }
  return { name, micros: (least * 1000) / documents.length }
}

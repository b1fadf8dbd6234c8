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

interface Read {
  readonly text: string
  readonly structure: object
  readonly claims: readonly Placed[]
}

interface Prepared extends Read {
  /** Groups that one of its claims represents: these are compared when the document comes. */
  readonly spokenFor: readonly string[]
}

/** So many claims of a group are compared with each other, and so many of one value, as in the service. */
const GROUP = 32
const OF_A_VALUE = 6
const ROUNDS = 5

export function measureStages(functions: Functions, texts: readonly string[]): Stage[] {
  const read = texts.map((text, number) => readOne(functions, text, number))
  const groups = fileClaims(functions, read)
  const prepared = read.map((each, number) => ({ ...each, spokenFor: spokenForBy(`d${number}`, groups) }))
  const { readStructure, readClaims, keysOf, valueKeyOf, findIn } = functions
  return [
    time('words and sentences, bare', prepared, ({ text }) => segment(text)),
    time('structure', prepared, ({ text }) => readStructure(text)),
    time('claims', prepared, ({ text, structure }) => readClaims(text, structure)),
    time('keys', prepared, ({ claims }) => claims.map(({ claim }) => [keysOf(claim), valueKeyOf(claim)])),
    time('compare', prepared, ({ spokenFor }) => {
      const memory = new WeakMap<object, never>()
      return spokenFor.map((key) => findIn(key, groups.get(key) ?? [], memory))
    }),
  ]
}

export function countClaims({ readStructure, readClaims }: Functions, texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + readClaims(text, readStructure(text)).length, 0) / texts.length
}

function readOne({ readStructure, readClaims }: Functions, text: string, number: number): Read {
  const structure = readStructure(text)
  const claims = readClaims(text, structure).map((claim, no) => {
    return { documentId: `d${number}`, version: 1, no, claim }
  })
  return { text, structure, claims }
}

function spokenForBy(documentId: string, groups: ReadonlyMap<string, readonly Placed[]>): string[] {
  return [...groups]
    .filter(([, members]) => members.some((member) => member.documentId === documentId))
    .map(([key]) => key)
}

/** A few of each value, the first of them by a number that is as good as drawn. */
function fileClaims({ keysOf, valueKeyOf }: Functions, documents: readonly Read[]): Map<string, Placed[]> {
  const all = documents.flatMap(({ claims }) =>
    claims.flatMap((placed) => {
      const value = valueKeyOf(placed.claim)
      const rank = numberOf(value)
      return keysOf(placed.claim).map((key) => ({ key, placed, value, rank }))
    }),
  )
  const groups = new Map<string, Placed[]>()
  const ofValue = new Map<string, number>()
  for (const { key, placed, value } of all.toSorted((a, b) => a.rank - b.rank)) {
    const group = groups.get(key) ?? []
    const nth = (ofValue.get(`${key}\n${value}`) ?? 0) + 1
    ofValue.set(`${key}\n${value}`, nth)
    if (nth <= OF_A_VALUE && group.length < GROUP) group.push(placed)
    groups.set(key, group)
  }
  return groups
}

function numberOf(text: string): number {
  let number = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1)
    number = Math.imul(number ^ text.charCodeAt(at), 0x01000193) >>> 0
  return number
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

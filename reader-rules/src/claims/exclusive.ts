/**
 * Words of which only one can be so: a thing has one colour, is made of one stuff, and happens on one day of the week. Where
 * two sentences say the same but for such a word, they disagree. Before a noun the word tells things apart instead, "the
 * blue bin" and "the red bin", and is left alone.
 */
import { stemOf } from './opposites.ts'
import { lowAt, tokenAt } from './token.ts'
import type { Token } from './token.ts'
import { isNominal } from './verbs.ts'

const families: Readonly<Record<string, string>> = {
  weekday: `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
    saturdays sundays`,
  colour: 'black white grey gray red green blue yellow orange brown purple pink',
  stuff: `canvas panel paper parchment wood wooden oak pine steel iron aluminium copper brass bronze plastic glass brick
    concrete stone slate marble granite leather cotton wool silk`,
  fuel: 'petrol diesel electric hybrid',
  payment: 'cash cheque card',
  carriage: 'road rail sea air',
  marriage: 'single married divorced widowed',
  tenure: 'freehold leasehold',
  hours: 'full-time part-time',
}

const familyOf: ReadonlyMap<string, string> = new Map(
  Object.entries(families).flatMap(([family, words]) =>
    words.split(/\s+/).map((word) => [word, family] as const),
  ),
)

const mark = 'only:'

/** The word and its family as a statement keeps them, where a token is one of those. */
export function exclusiveAt(tokens: readonly Token[], at: number): string | null {
  const token = tokenAt(tokens, at)
  const family = familyOf.get(token.low)
  if (family === undefined) return null
  if (family === 'weekday' ? !isDay(tokens, at) : isBeforeNoun(tokens, at)) return null
  if ((family === 'payment' || family === 'carriage') && lowAt(tokens, at - 1) !== 'by') return null
  return `${mark}${family}:${stemOf(token.word)}`
}

/** "on Monday", "Mondays and Wednesdays"; "the Monday club" is one of several. */
function isDay(tokens: readonly Token[], at: number): boolean {
  const next = tokenAt(tokens, at + 1)
  return !(isNominal(next) && !next.digit && !familyOf.has(next.low))
}

function isBeforeNoun(tokens: readonly Token[], at: number): boolean {
  return at === 0 || isNominal(tokens[at + 1])
}

/** The part of a statement of which only one can be so, by family. */
export function exclusivesIn(qualifiers: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const qualifier of qualifiers) {
    if (!qualifier.startsWith(mark)) continue
    const [family = '', word = ''] = qualifier.slice(mark.length).split(':')
    found.set(family, [...(found.get(family) ?? []), word])
  }
  return found
}

/** The words alone: two sentences that differ in them have to meet under others. */
export function exclusiveWords(qualifiers: readonly string[]): readonly string[] {
  return qualifiers
    .filter((qualifier) => qualifier.startsWith(mark))
    .map((qualifier) => qualifier.slice(qualifier.lastIndexOf(':') + 1))
}

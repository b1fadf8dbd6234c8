/**
 * The grammar that claims need: where the verb is, which words make a noun phrase, what hangs on it by a preposition.
 * No tagger: closed lists of small words, endings, and the place of a word tell enough of them apart.
 */
import {
  adverbs,
  auxiliaries,
  conjunctions,
  determiners,
  irregular,
  prepositions,
  pronouns,
  titles,
  verbBases,
} from './lexicon.ts'
import { tokenAt } from './tokens.ts'
import type { Token } from './tokens.ts'

/** Tokens `from` to `to`, the last not included. */
export type Run = readonly [from: number, to: number]

const nowhere: Run = [0, 0]

export function runAt(runs: readonly Run[], at: number): Run {
  return runs[at] ?? nowhere
}

const nounsInEd = new Set(
  'hundred seed need speed feed shed limited united related reported adjusted unaudited audited restated consolidated'.split(
    ' ',
  ),
)

/** Whether a token is a verb by its form alone. */
export function isVerb(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token === undefined || token.sign || token.digit) return false
  if (auxiliaries.has(token.low)) return !(token.low === 'may' && token.capital && at > 0)
  if (token.capital && at > 0) return false
  if (irregular.has(token.low)) return !isAttributive(tokens, at)
  if (token.low.endsWith('ed') && token.low.length > 3 && !nounsInEd.has(token.low))
    return !isAttributive(tokens, at)
  return isPresent(tokens, at, token)
}

/** "expires", "contains"; "we compute", "customers pay". */
function isPresent(tokens: readonly Token[], at: number, token: Token): boolean {
  if (at === 0) return false
  const before = tokens[at - 1]
  if (before === undefined || before.sign || determiners.has(before.low) || prepositions.has(before.low))
    return false
  const base = token.low.endsWith('s') ? verbBase(token.low) : token.low
  if (!verbBases.has(base)) return false
  if (base !== token.low) return true
  return (
    pronouns.has(before.low) ||
    before.low === 'to' ||
    auxiliaries.has(before.low) ||
    followsPlural(tokens, at)
  )
}

/** "customers pay", "the accounts for 2022 show". */
function followsPlural(tokens: readonly Token[], at: number): boolean {
  const before = tokenAt(tokens, at - 1)
  if (before.low.endsWith('s') && !before.possessive) return true
  if (!before.digit) return false
  for (let index = at - 2; index >= Math.max(0, at - 5); index -= 1) {
    const { low, sign } = tokenAt(tokens, index)
    if (sign) return false
    if (low.endsWith('s') && low.length > 3) return true
  }
  return false
}

function verbBase(low: string): string {
  const bare = low.slice(0, -1)
  if (verbBases.has(bare)) return bare
  if (low.endsWith('ies')) return `${low.slice(0, -3)}y`
  return low.endsWith('es') ? low.slice(0, -2) : bare
}

/** "the audited accounts", "an agreed price": a participle before its noun. */
function isAttributive(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  const after = tokens[at + 1]
  if (after === undefined || !isNominal(after) || prepositions.has(after.low)) return false
  if (before === undefined) return true
  return determiners.has(before.low) || prepositions.has(before.low) || before.digit || before.possessive
}

/** Could stand inside a noun phrase. */
export function isNominal(token: Token | undefined): boolean {
  if (token === undefined || token.sign || (token.digit && isPlainNumber(token.low))) return false
  const { low } = token
  if (determiners.has(low) || prepositions.has(low) || conjunctions.has(low)) return false
  if (auxiliaries.has(low) && !(low === 'may' && token.capital)) return false
  return !pronouns.has(low) && !adverbs.has(low) && !titles.has(low)
}

/** "22", "3.5", "1,140": figures; longer ones such as `27001` may be part of a name. */
function isPlainNumber(low: string): boolean {
  for (let at = 0; at < low.length; at += 1) {
    const code = low.charCodeAt(at)
    if (code > 0x39 || code < 0x2b) return false
  }
  return low.length < 4 || low.includes(',') || low.includes('.')
}

/** The run of nouns and what stands before them that ends before `to`; empty where there is none. */
export function nounsBefore(tokens: readonly Token[], to: number, floor: number, taken: Taken): Run {
  let from = to
  while (from > floor && isNominal(tokens[from - 1]) && !taken(from - 1) && !isVerb(tokens, from - 1))
    from -= 1
  return [from, to]
}

/** The run of nouns that begins at `from`, behind articles. */
export function nounsAfter(tokens: readonly Token[], from: number, ceiling: number, taken: Taken): Run {
  let at = from
  while (at < ceiling && determiners.has(tokens[at]?.low ?? '')) at += 1
  const begin = at
  while (at < ceiling && isNominal(tokens[at]) && !taken(at) && !isVerb(tokens, at)) at += 1
  return [begin, at]
}

/** Whether a token belongs to a value. */
export type Taken = (at: number) => boolean

/** Where clauses begin: behind a semicolon, before "which", before ", and" or "but". */
export function clauseStarts(tokens: readonly Token[]): number[] {
  const starts = [0]
  let verbSeen = false
  for (let at = 1; at < tokens.length; at += 1) {
    if (isVerb(tokens, at - 1)) verbSeen = true
    if ((verbSeen && opensClause(tokens, at)) || tokenAt(tokens, at - 1).low === ';') {
      starts.push(at)
      verbSeen = false
    }
  }
  return starts
}

const clauseWords = new Set('which who whose whereas while although but because where'.split(' '))

function opensClause(tokens: readonly Token[], at: number): boolean {
  const token = tokenAt(tokens, at)
  const before = tokenAt(tokens, at - 1)
  if (before.low === ';' || before.low === ':') return true
  if (clauseWords.has(token.low) || (token.low === 'that' && reports(tokens, at - 1))) return true
  if (token.low !== 'and') return false
  return isVerb(tokens, at + 1) || (before.low === ',' && hasVerbSoon(tokens, at + 1))
}

const reporting = new Set(
  'understanding view opinion note fact statement report finding conclusion belief condition assumption us'.split(
    ' ',
  ),
)

/** "We understand that", "it is our view that", "told us that": what follows is said, not who says it. */
function reports(tokens: readonly Token[], at: number): boolean {
  return isVerb(tokens, at) || reporting.has(tokenAt(tokens, at).low)
}

function hasVerbSoon(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < Math.min(tokens.length, from + 8); at += 1) {
    if (tokenAt(tokens, at).low === ',') return false
    if (isVerb(tokens, at)) return true
  }
  return false
}

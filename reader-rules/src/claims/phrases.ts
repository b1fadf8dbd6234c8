/**
 * The grammar that claims need: where the verb is, which words make a noun phrase, what hangs on it by a preposition.
 * No tagger: closed lists of small words, endings, and the place of a word tell enough of them apart.
 */
import { determiners } from '@concord/reading/src/words/lexicon.ts'
import { tokenAt } from './token.ts'
import type { Token } from './token.ts'
import { isNominal } from './verbs.ts'

/** Tokens `from` to `to`, the last not included. */
export type Run = readonly [from: number, to: number]

const nowhere: Run = [0, 0]

export function runAt(runs: readonly Run[], at: number): Run {
  return runs[at] ?? nowhere
}

/** Whether a token is a verb. */
export function isVerb(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.verb ?? false
}

/** The run of nouns and what stands before them that ends before `to`; empty where there is none. */
export function nounsBefore(tokens: readonly Token[], to: number, floor: number, taken: IsTaken): Run {
  let from = to
  while (from > floor && isNominal(tokens[from - 1]) && !taken(from - 1) && !isVerb(tokens, from - 1))
    from -= 1
  return [from, to]
}

/** The run of nouns that begins at `from`, behind articles. */
export function nounsAfter(tokens: readonly Token[], from: number, ceiling: number, taken: IsTaken): Run {
  let at = from
  while (at < ceiling && determiners.has(tokens[at]?.low ?? '')) at += 1
  const begin = at
  while (at < ceiling && isNominal(tokens[at]) && !taken(at) && !isVerb(tokens, at)) at += 1
  return [begin, at]
}

/** Whether a token belongs to a value. */
export type IsTaken = (at: number) => boolean

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

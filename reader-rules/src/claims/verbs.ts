/** Which words are verbs, and which may stand in a noun phrase: told by closed lists, by endings, and by the neighbours. */
import {
  auxiliaries,
  determiners,
  irregular,
  prepositions,
  pronouns,
  smallWords,
  verbBases,
} from '@concord/reading/src/words/lexicon.ts'
import { tokenAt } from './token.ts'
import type { Token } from './token.ts'

const nounsInEd = new Set(
  'hundred seed need speed feed shed adjusted unaudited audited restated consolidated'.split(' '),
)

/** Whether a token is a verb by its form and its neighbours. */
export function isVerbAt(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token === undefined || token.sign || token.digit) return false
  if (auxiliaries.has(token.low)) return !(token.low === 'may' && token.capital && at > 0)
  if (token.capital && at > 0) return false
  if (followsModal(tokens, at)) return true
  if (irregular.has(token.low)) return !isAttributive(tokens, at)
  if (token.low.endsWith('ed') && token.low.length > 3 && !nounsInEd.has(token.low))
    return !isAttributive(tokens, at)
  return isPresent(tokens, at, token)
}

const modals = new Set('will would shall should must may might can could cannot'.split(' '))

/** "will enrol", "may not sublet": whatever stands behind a modal verb is the deed, known or not. */
function followsModal(tokens: readonly Token[], at: number): boolean {
  const token = tokenAt(tokens, at)
  if (smallWords.has(token.low) || token.low.endsWith('ly') || token.low.endsWith('s')) return false
  let before = at - 1
  while (before > 0 && isBetween(tokenAt(tokens, before).low)) before -= 1
  const modal = tokenAt(tokens, before)
  // "Will the tenant", "Can data": a question, and "The May invoice": a month.
  return before > 0 && modals.has(modal.low) && !modal.capital
}

/** "must answer within a day and keep records": a second deed behind the first. */
function hasModal(tokens: readonly Token[], before: number): boolean {
  for (let at = before - 1; at > Math.max(0, before - 20); at -= 1)
    if (modals.has(tokenAt(tokens, at).low)) return true
  return false
}

function isBetween(low: string): boolean {
  return low === 'not' || low === 'also' || low === 'only' || low === 'then' || low.endsWith('ly')
}

/** "expires", "contains"; "we compute", "customers pay". */
function isPresent(tokens: readonly Token[], at: number, token: Token): boolean {
  if (at === 0) return false
  const before = tokens[at - 1]
  if (before === undefined || before.sign || determiners.has(before.low) || prepositions.has(before.low))
    return false
  if (token.low === 'changes' && tokens[at + 1]?.low === 'from') return true
  const base = token.low.endsWith('s') ? verbBase(token.low) : token.low
  if (!verbBases.has(base)) return false
  return base !== token.low || followsDoer(tokens, at, before)
}

function followsDoer(tokens: readonly Token[], at: number, before: Token): boolean {
  return (
    pronouns.has(before.low) ||
    before.low === 'to' ||
    (before.low === 'and' && hasModal(tokens, at - 1)) ||
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
  return !smallWords.has(token.low) || (token.low === 'may' && token.capital)
}

/** "22", "3.5", "1,140": figures; longer ones such as `27001` may be part of a name. */
function isPlainNumber(low: string): boolean {
  for (let at = 0; at < low.length; at += 1) {
    const code = low.charCodeAt(at)
    if (code > 0x39 || code < 0x2b) return false
  }
  return low.length < 4 || low.includes(',') || low.includes('.')
}

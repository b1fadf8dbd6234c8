/** Under which keys a claim is filed: two claims that share one may be about the same thing, all others never meet. */
import type { Claim } from '@concord/reading/src/claim.ts'
import { familyOf, initialsOf, measureWords, rarestWord } from './prepared.ts'
import { isStatement, statementKeys } from './statements.ts'
import { canonicalWord, datedEvents, generalSubjects, vague } from './words.ts'

const maxKeys = 5
const fewestInitials = 3
const maxInitials = 4

/** The word of the subject that another mention is likeliest to repeat. */
function subjectKey(claim: Claim): string | null {
  const { from, words } = claim.subject
  if (from === 'none' || from === 'document') return null
  const telling = words.find((word) => !generalSubjects.has(word))
  return telling === undefined ? null : canonicalWord(telling)
}

/** Two claims of one measure rarely agree on its head, but nearly always on one of the first words that say something. */
function tellingWords(claim: Claim, words: string[]): string[] {
  const telling = words.filter((word) => !vague.has(word))
  const turns = familyOf(claim) === 'date' ? words.filter((word) => datedEvents.has(word)) : []
  return telling.length > 0 ? [...telling.slice(0, 1), ...turns, ...telling.slice(1)] : words
}

/** A measure of three or four words may be written as initials elsewhere. */
function shortForm(claim: Claim): string | undefined {
  const { length } = claim.attribute.words
  return length >= fewestInitials && length <= maxInitials ? initialsOf(claim).at(-1) : undefined
}

/** "SCR ratio": of all that is said of the SCR in percent, what is a ratio. Where a word has much said of it, few speak for all. */
function narrowed([head]: readonly string[], first: string | undefined): string | null {
  return head === undefined || first === undefined || head === first || !vague.has(head)
    ? null
    : `${first} ${head}`
}

function key(family: string, word: string | null | undefined): string[] {
  return word === undefined || word === null ? [] : [`${family}|${word}`]
}

export function keysOf(claim: Claim): string[] {
  if (isStatement(claim)) return statementKeys(claim)
  const family = familyOf(claim)
  const words = measureWords(claim)
  const [first, second] = tellingWords(claim, words)
  const subject = subjectKey(claim)
  const rarest = rarestWord(words, claim)
  const keys = [
    ...key(family, subject === null || first === undefined ? null : `${first}|of ${subject}`),
    ...key(family, narrowed(words, first)),
    ...key(family, first),
    // A count and what is said to be or not to be meet under the noun.
    ...key('any', family === 'count' || family === 'money' ? first : null),
    ...key(family, second),
    ...key(family, shortForm(claim)),
    ...key(family, rarest === null ? null : `~${rarest}`),
  ]
  return [...new Set(keys)].slice(0, maxKeys)
}

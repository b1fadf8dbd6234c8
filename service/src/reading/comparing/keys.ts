/** Under which keys a claim is filed: two claims that share one may be about the same thing, all others never meet. */
import type { Claim } from '../../domain/claim.ts'
import { familyOf, initialsOf, measureWords, rarestWord } from './prepared.ts'
import { isStatement, statementKeys } from './statements.ts'
import { canonicalWord, generalSubjects, vague } from './words.ts'

const mostKeys = 3
const shortestInitials = 2
const longestInitials = 3

/** The word of the subject that another mention is likeliest to repeat. */
function subjectKey(claim: Claim): string | null {
  const { from, words } = claim.subject
  if (from === 'none' || from === 'document') return null
  const telling = words.find((word) => !generalSubjects.has(word))
  return telling === undefined ? null : canonicalWord(telling)
}

/** Two claims of one measure rarely agree on its head, but nearly always on one of the first words that say something. */
function tellingWords(claim: Claim): string[] {
  const words = measureWords(claim)
  const telling = words.filter((word) => !vague.has(word))
  return telling.length > 0 ? telling : words
}

function shortForm(claim: Claim): string | undefined {
  return initialsOf(claim).findLast(({ length }) => length >= shortestInitials && length <= longestInitials)
}

export function keysOf(claim: Claim): string[] {
  if (isStatement(claim)) return statementKeys(claim)
  const family = familyOf(claim)
  const [first = '', second] = tellingWords(claim)
  const subject = subjectKey(claim)
  const initials = shortForm(claim)
  const rarest = rarestWord(claim)
  const keys = [
    subject === null ? undefined : `${family}|${first}|of ${subject}`,
    `${family}|${first}`,
    // What is counted and what is said to be or not to be meet under the noun.
    family === 'count' ? `any|${first}` : undefined,
    initials !== undefined && claim.attribute.words.length === initials.length
      ? `${family}|${initials}`
      : undefined,
    rarest === null ? undefined : `${family}|~${rarest}`,
    second === undefined ? undefined : `${family}|${second}`,
  ]
  return [...new Set(keys.filter((key) => key !== undefined))].slice(0, mostKeys)
}

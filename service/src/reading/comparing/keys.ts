/** Under which keys a claim is filed: two claims that share one may be about the same thing, all others never meet. */
import type { Claim } from '../../domain/claim.ts'
import { familyOf, headOf, initialsOf } from './prepared.ts'
import { canonicalWord, generalSubjects } from './words.ts'

const mostKeys = 3

/** The word of the subject that another mention is likeliest to repeat. */
function subjectKey(claim: Claim): string | null {
  const { from, words } = claim.subject
  if (from === 'none' || from === 'document') return null
  const telling = words.find((word) => !generalSubjects.has(word))
  return telling === undefined ? null : canonicalWord(telling)
}

/** What is counted and what is said to be or not to be meet under the noun. */
function existenceKeys(claim: Claim, head: string): string[] {
  const noun =
    claim.value.type === 'number' && claim.value.unit !== '' ? canonicalWord(claim.value.unit) : head
  return [`any|${noun}`]
}

export function keysOf(claim: Claim): string[] {
  const family = familyOf(claim)
  const head = headOf(claim)
  const base = `${family}|${head}`
  const subject = subjectKey(claim)
  const initials = initialsOf(claim).findLast((letters) => letters.length >= 2 && letters.length <= 3)
  const keys: string[] = []
  if (subject !== null) keys.push(`${base}|of ${subject}`)
  if (initials !== undefined) keys.push(`${family}|${initials}`)
  const last = claim.kind === 'count' ? existenceKeys(claim, head) : []
  const kept = [...new Set([...keys, base])]
  return [...kept.slice(0, mostKeys - last.length - 1), ...kept.slice(-1), ...last].filter(first)
}

function first(key: string, at: number, all: readonly string[]): boolean {
  return all.indexOf(key) === at
}

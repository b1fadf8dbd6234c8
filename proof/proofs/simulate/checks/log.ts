/** The log of a scope has no gaps, and its head is its last entry. */
import type { Check } from './step.ts'

export function logCheck(): Check {
  const heads = new Map<string, number>()
  return ({ entries, after, before }) => {
    for (const { scopeKey, seq, kind } of entries) {
      const expected = (heads.get(scopeKey) ?? 0) + 1
      if (seq !== expected) return `${kind} in ${scopeKey} is at ${seq}; the next position is ${expected}`
      heads.set(scopeKey, seq)
    }
    if (after.scopes === before.scopes) return entries.length > 0 && 'entries were written and no head moved'
    for (const [scopeKey, { head }] of after.scopes)
      if (head !== (heads.get(scopeKey) ?? 0))
        return `the head of ${scopeKey} is ${head}, its last entry is not`
    return entries.length > 0
  }
}

/** Whether two claims speak of the same one: the hardest question, and the commonest cause of false alarms. */
import type { Prepared } from './prepared.ts'
import { generalSubjects, legalForms } from './words.ts'

/** `equal` and `within` are about named subjects; `unsure` says that one side or both leave it to the document. */
export type SubjectMatch = 'equal' | 'within' | 'unsure' | 'other'

function telling(words: readonly string[]): string[] {
  return words.filter((word) => !legalForms.has(word))
}

function includesAll(outer: readonly string[], inner: readonly string[]): boolean {
  return inner.every((word) => outer.includes(word))
}

function hasLegalForm(words: readonly string[]): boolean {
  return words.some((word) => legalForms.has(word))
}

/** "the Group" on one side and a company with its legal form on the other: the whole against a part. */
function wholeAgainstPart(a: Prepared, b: Prepared): boolean {
  return a.subject.includes('group') && !hasLegalForm(a.subject) && hasLegalForm(b.subject)
}

function compareNamed(a: readonly string[], b: readonly string[]): SubjectMatch {
  if (a.length === b.length && includesAll(a, b)) return 'equal'
  if (a.length > 0 && b.length > 0 && (includesAll(a, b) || includesAll(b, a))) return 'within'
  const restA = a.filter((word) => !b.includes(word) && !generalSubjects.has(word))
  const restB = b.filter((word) => !a.includes(word) && !generalSubjects.has(word))
  if (restA.length === 0 || restB.length === 0)
    return a.some((word) => b.includes(word)) ? 'within' : 'unsure'
  return 'other'
}

/** A named subject against that of the other's document: a sister of it is another, a stranger leaves us unsure. */
function compareWithDocument(named: Prepared, other: Prepared): SubjectMatch {
  const shares = named.subject.some((word) => other.subject.includes(word) && !generalSubjects.has(word))
  if (!shares) return 'unsure'
  const match = compareNamed(telling(named.subject), telling(other.subject))
  return match === 'other' ? 'other' : 'unsure'
}

export function compareSubjects(a: Prepared, b: Prepared): SubjectMatch {
  if (wholeAgainstPart(a, b) || wholeAgainstPart(b, a)) return 'other'
  if (a.subjectFrom === 'named' && b.subjectFrom === 'named')
    return compareNamed(telling(a.subject), telling(b.subject))
  if (a.subjectFrom === 'named' && b.subjectFrom === 'document') return compareWithDocument(a, b)
  if (b.subjectFrom === 'named' && a.subjectFrom === 'document') return compareWithDocument(b, a)
  return 'unsure'
}

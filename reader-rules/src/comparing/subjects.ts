/** Whether two claims speak of the same one: the hardest question, and the commonest cause of false alarms. */
import type { Prepared } from './prepared.ts'
import { generalSubjects, isNoise, legalForms, numberedThings } from './words.ts'

/**
 * `equal` and `within` are about named subjects. `open`: neither names one. `lopsided`: one does, and the other may well mean
 * the same. `part`: one is a row of a table that splits a whole, and the other may be the whole. `akin` and `strange`: only the
 * documents tell, and what they are about is alike or not.
 */
export type SubjectMatch = 'equal' | 'within' | 'akin' | 'open' | 'lopsided' | 'part' | 'strange' | 'other'

function telling(words: readonly string[]): string[] {
  return words.filter((word) => !legalForms.has(word))
}

function includesAll(outer: readonly string[], inner: readonly string[]): boolean {
  return inner.every((word) => outer.includes(word))
}

/** "the Group" said expressly on one side, a company named on the other: the whole against a part. */
function wholeAgainstPart(whole: Prepared, part: Prepared): boolean {
  return whole.claim.subject.from !== 'document' &&
    whole.subject.includes('group') &&
    part.subjectFrom === 'named'
    ? !part.subject.includes('group')
    : false
}

function compareNamed(a: readonly string[], b: readonly string[]): SubjectMatch {
  if (a.length === b.length && includesAll(a, b)) return 'equal'
  if (a.length > 0 && b.length > 0 && (includesAll(a, b) || includesAll(b, a))) return 'within'
  const restA = a.filter((word) => !b.includes(word) && !generalSubjects.has(word))
  const restB = b.filter((word) => !a.includes(word) && !generalSubjects.has(word))
  if (restA.length === 0 || restB.length === 0)
    return a.some((word) => b.includes(word)) ? 'within' : 'lopsided'
  return 'other'
}

/** A named subject against that of the other's document: a sister of it is another, a stranger leaves us unsure. */
function compareWithDocument(named: Prepared, other: Prepared): SubjectMatch {
  const without = named.claim.subject.from === 'row' ? 'part' : 'lopsided'
  const shares = named.subject.some((word) => other.subject.includes(word) && !generalSubjects.has(word))
  if (!shares) return without
  const match = compareNamed(telling(named.subject), telling(other.subject))
  return match === 'other' ? 'other' : 'lopsided'
}

export function compareSubjects(a: Prepared, b: Prepared): SubjectMatch {
  if (wholeAgainstPart(a, b) || wholeAgainstPart(b, a)) return 'other'
  if (a.subjectFrom === 'named' && b.subjectFrom === 'named')
    return compareNamed(telling(a.subject), telling(b.subject))
  if (a.subjectFrom === 'named') return compareWithDocument(a, b)
  if (b.subjectFrom === 'named') return compareWithDocument(b, a)
  return compareDocuments(telling(a.subject), telling(b.subject))
}

function compareDocuments(a: readonly string[], b: readonly string[]): SubjectMatch {
  const [x, y] = [a.filter(isOwn), b.filter(isOwn)]
  if (x.length === 0 || y.length === 0) return 'open'
  if (x.some((word) => marks(word) && y.includes(word))) return 'equal'
  // A number and a name may be of one thing: the file GA-2291, and the project it is of.
  if (x.some(marks) !== y.some(marks)) return 'open'
  const shared = x.filter((word) => y.includes(word)).length
  if (shared > 0 && shared * 2 < Math.min(x.length, y.length)) return 'other'
  return shared > 0 ? 'akin' : 'strange'
}

/** The number of a batch, a file, a contract: nothing else has it. */
function marks(word: string): boolean {
  return /\d{2}\D*\d/.test(word)
}

function isOwn(word: string): boolean {
  return !generalSubjects.has(word) && !numberedThings.has(word) && !isNoise(word)
}

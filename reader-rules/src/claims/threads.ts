/** The thread from sentence to sentence, and how later ones point back to it: "it", "that date", "the correct figure". */
import type { Claim } from '@concord/reading/src/claim.ts'
import { nameSubject } from './build.ts'
import type { ClaimDraft } from './build.ts'
import type { Thread, Told } from './describing.ts'
import type { Measure } from './gathering.ts'
import { emptyWords, lightNouns } from '@concord/reading/src/words/lexicon.ts'
import { scenarioIn } from './modes.ts'
import { periodOf } from './periods.ts'
import { clauseOf, isDate } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import { subjectWords } from './subject-words.ts'
import { lowAt } from './token.ts'

export function newThread(words: readonly string[] = []): Thread {
  return { subject: null, words, scenario: null, period: null, told: null }
}

/** The measure of the value at a place among those of its sentence. */
export type Measuring = (index: number) => Measure | null

const pointing = new Set('it they he she this these that those'.split(' '))

/** The name and the words of the subject, the time and the figure, for whatever points back to them. */
export function remember(sentence: Sentence, thread: Thread, measured: Measuring): void {
  const { tokens } = sentence
  const [name] = sentence.names
  if (name !== undefined) thread.subject = nameSubject(sentence.text, tokens, name)
  else if (!pointing.has(lowAt(tokens, 0))) thread.subject = null
  thread.scenario = scenarioIn(tokens, thread.scenario) ?? thread.scenario
  thread.period = sentence.values.find(isDate)?.value.days ?? thread.period
  thread.told = toldIn(sentence, measured) ?? thread.told
  const words = pointing.has(lowAt(tokens, 0)) ? [] : subjectWords(sentence, clauseOf(sentence, 0))
  if (words.some((word) => !isEmpty(word))) thread.words = words
}

function isEmpty(word: string): boolean {
  return lightNouns.has(word) || emptyWords.has(word)
}

function toldIn(sentence: Sentence, measured: Measuring): Told | null {
  const index = sentence.values.findIndex((found) => !isDate(found))
  const found = sentence.values[index]
  const words = found === undefined ? [] : (measured(index)?.words ?? [])
  if (found === undefined || words.every(isEmpty)) return null
  return { kind: found.kind, value: found.value, words, period: periodOf(sentence, index) }
}

const times = new Set('date day month quarter year period time'.split(' '))

/** "The correct value for that date". */
export function pointedAt({ tokens }: Sentence, { period }: Thread): Claim['period'] {
  if (period === null) return null
  const points = tokens.some(
    ({ low }, at) => (low === 'that' || low === 'same') && times.has(lowAt(tokens, at + 1)),
  )
  return points ? period : null
}

/** "… was given as 14.8 per cent. … The correct figure is 11.8 per cent": of what, and instead of what, stands before. */
export function putRight(draft: ClaimDraft, words: readonly string[], { told }: Thread): ClaimDraft {
  const { kind, value, replaces } = draft
  if (replaces?.by !== 'correction' || replaces.value !== null || told?.kind !== kind) return draft
  const says = words.filter((word) => !isEmpty(word) && word !== kind)
  if (!says.every((word) => told.words.includes(word))) return draft
  if (JSON.stringify(told.value) === JSON.stringify(value)) return draft
  return {
    ...draft,
    attribute: { ...draft.attribute, words: told.words },
    period: draft.period ?? told.period,
    replaces: { value: told.value, by: 'correction' },
  }
}

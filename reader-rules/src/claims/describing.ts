/** The joint statement of a measure and the place it stands in: subject, words, world and manner of a claim. */
import type { Claim } from '@concord/reading/src/claim.ts'
import { contextOf, nameSubject, textOf } from './build.ts'
import type { ClaimPosition } from './build.ts'
import type { Measure } from './gathering.ts'
import { emptyWords, kindNouns, lightNouns } from '@concord/reading/src/words/lexicon.ts'
import { modalityOf, qualifiersIn, scenarioIn } from './modes.ts'
import type { Run } from './phrases.ts'
import { clauseOf } from './sentence.ts'
import type { Sentence } from './sentence.ts'
import type { Scene } from './scene.ts'
import { subjectWords } from './subject-words.ts'
import { lowAt } from './token.ts'

export interface Told {
  readonly kind: Claim['kind']
  readonly value: Claim['value']
  readonly words: readonly string[]
  readonly period: Claim['period']
}

/** The things that later sentences may point back to with "it" or "they". */
export interface Thread {
  subject: Claim['subject'] | null
  words: readonly string[]
  /** The scenario spoken of last. */
  scenario: string | null
  /** The time spoken of last. */
  period: Claim['period']
  /** The figure given last, and of what. */
  told: Told | null
}

/** Everything the smaller rules need to see. */
export interface Said {
  readonly scene: Scene
  readonly sentence: Sentence
  readonly place: ClaimPosition
  readonly thread: Thread
}

/** Describes a claim by a measure and the place it stands in. */
export function describe(said: Said, measure: Measure, run: Run) {
  const { scene, sentence, place, thread } = said
  const clause = clauseOf(sentence, run[0])
  const { tokens } = sentence
  const near = windowOf(sentence, clause, run)
  const subject = subjectFor(said, measure)
  const vague = measure.words.every(
    (word) => lightNouns.has(word) || kindNouns.has(word) || emptyWords.has(word) || word === 'duration',
  )
  const extra =
    (vague && measure.name === null) || (measure.pronoun && subject === thread.subject)
      ? spokenOf(sentence, clause, thread)
      : []
  const words = [
    ...new Set(
      vague && measure.name === null
        ? [...extra, ...measure.words]
        : measure.words.length > 1
          ? measure.words
          : [...measure.words, ...extra],
    ),
  ].slice(0, 6)
  const used = [...words, ...subject.words]
  return {
    span: sentence.span,
    subject,
    attribute: { words, text: textOf(scene.text, tokens, measure.run) },
    context: contextOf(tokens, used, sentence.taken, place.context),
    qualifiers: qualifiersFor(sentence, near, measure, thread, run).filter(
      (each) => !isNamed(each, subject.words),
    ),
    modality: place.quoted ? ('quoted' as const) : modalityOf(sentence, clause, run[0]),
    assertedAt: place.assertedAt,
    replaces: null as Claim['replaces'],
    period: null as Claim['period'],
    confidence: measure.confidence,
  }
}

/** The target of "it" and of bare figures: the subject of the clause before, else of the sentence before. */
function spokenOf(sentence: Sentence, clause: Run, thread: Thread): readonly string[] {
  const before = clause[0] > 0 ? subjectWords(sentence, clauseOf(sentence, clause[0] - 1)) : []
  return before.length > 0 ? before : thread.words
}

function qualifiersFor(sentence: Sentence, near: Run, measure: Measure, thread: Thread, own: Run): string[] {
  const { tokens } = sentence
  const found = qualifiersIn(tokens.slice(near[0], near[1]))
  const scenario = scenarioIn(tokens, thread.scenario)
  const over = stretchOf(sentence, measure.run, own)
  return [...found, ...(scenario === null ? [] : [scenario]), ...(over === null ? [] : [over])].toSorted()
}

/** "Lot 1" as the subject need not be said again as what narrows the measure. */
function isNamed(qualifier: string, words: readonly string[]): boolean {
  const [kind = '', mark = ''] = qualifier.split(':')
  return mark !== '' && words.includes(kind) && words.includes(mark)
}

/** "revenue for the four months": a figure of a stretch of time that is no year. */
function stretchOf({ tokens, values, runs }: Sentence, [from, to]: Run, own: Run): string | null {
  if (values.some((found, index) => found.kind === 'duration' && runs[index]?.[0] === own[0])) return null
  for (let index = 0; index < values.length; index += 1) {
    const found = values[index]
    const run = runs[index]
    if (found?.kind !== 'duration' || found.value.type !== 'number' || run === undefined) continue
    const before = lowAt(tokens, run[0] - 1) === 'the' ? lowAt(tokens, run[0] - 2) : lowAt(tokens, run[0] - 1)
    if ((before === 'for' || before === 'in' || before === 'over') && run[0] >= from && run[0] <= to + 4)
      return `over:${found.value.low ?? 0}`
  }
  return null
}

/** The words of the clause that no other figure stands between. */
function windowOf({ runs, values }: Sentence, clause: Run, run: Run): Run {
  let [from, to] = clause
  runs.forEach((other, index) => {
    if (values[index]?.value.type === 'date' || other[1] === 0 || other[0] === run[0]) return
    if (other[1] <= run[0]) from = Math.max(from, other[1])
    else if (other[0] >= run[1]) to = Math.min(to, other[0])
  })
  return [from, Math.max(to, run[1])]
}

function subjectFor({ scene, sentence, place, thread }: Said, measure: Measure): Claim['subject'] {
  if (measure.name !== null) return nameSubject(scene.text, sentence.tokens, measure.name)
  if (measure.whole) return { ...scene.subject, from: 'document' }
  if (measure.pronoun && thread.subject !== null) return thread.subject
  return place.subject
}

/** Contradictions as questions: several pairs about the same thing are one question with several answers. */
import type { Contradiction, ContradictionSide, Severity } from '../src/index.ts'
import { headingOf } from './heading.ts'
import { SEVERITIES } from './order.ts'

/** One value, and every place that states it. */
export type AnswerSides = readonly [ContradictionSide, ...ContradictionSide[]]

export interface ReportQuestion {
  /** The heaviest first. */
  readonly contradictions: readonly [Contradiction, ...Contradiction[]]
  readonly answers: readonly AnswerSides[]
}

export interface ReportQuestions {
  /** Open ones by severity, the heaviest first; severities without one are left out. */
  readonly open: readonly { readonly severity: Severity; readonly questions: readonly ReportQuestion[] }[]
  /** A decision is about one pair, so these are never put together. */
  readonly decided: readonly ReportQuestion[]
}

export function arrangeQuestions(contradictions: readonly Contradiction[]): ReportQuestions {
  const open = contradictions.filter(({ status }) => status === 'open')
  const decided = contradictions.filter(({ status }) => status !== 'open')
  const questions = [...Map.groupBy(open, questionKey).values()].flatMap(toQuestions)
  const bySeverity = Map.groupBy(questions, ({ contradictions: [first] }) => first.severity)
  return {
    open: SEVERITIES.flatMap((severity) => {
      const found = bySeverity.get(severity)
      return found ? [{ severity, questions: found }] : []
    }),
    decided: decided.map(pair),
  }
}

/** A reported pair names no subject that another could share. */
function questionKey(found: Contradiction): string {
  const { kind, relation, title, entity, attribute, period, contradiction_id: id } = found
  if (kind === 'reported' || headingOf(found) === '') return id
  return JSON.stringify([kind, relation, title, entity, attribute, period])
}

function pair(found: Contradiction): ReportQuestion {
  return { contradictions: [found], answers: [[found.a], [found.b]] }
}

function toQuestions(contradictions: readonly Contradiction[]): ReportQuestion[] {
  const [first, ...others] = contradictions
  if (first === undefined) return []
  if (others.length === 0) return [pair(first)]
  const sides = contradictions.flatMap(({ a, b }) => [a, b])
  const places = [...Map.groupBy(sides, placeKey).values()].flatMap((same) => same.slice(0, 1))
  const answers = [...Map.groupBy(places, valueKey).values()].flatMap(([one, ...rest]): AnswerSides[] =>
    one ? [[one, ...rest]] : [],
  )
  return answers.length < 2 ? contradictions.map(pair) : [{ contradictions: [first, ...others], answers }]
}

function placeKey({ document_id: id, source, start, quote }: ContradictionSide): string {
  return JSON.stringify([id ?? source, start, quote])
}

/** Two documents may write one value in two ways; its text alone would keep them apart. */
function valueKey({ value, quote }: ContradictionSide): string {
  if (value === null) return quote
  const { low, first_day: day, word, exists } = value
  const isTyped = [low, day, word, exists].some((each) => each !== null)
  return JSON.stringify({ ...value, text: isTyped ? '' : value.text })
}

/**
 * The tasks of the reading processes: a reading by rules, or the plan for the requests to a language model. The first
 * character of a task and of its result tells which. Every text may be hostile, so its structure is also found in the
 * child.
 */
import type { ReadingPlan } from '../model/plan.ts'
import { createLines, decodeReading, sentencesIn } from './reading.ts'
import type { Reading } from './reading.ts'

export type TaskKind = 'rules' | 'plan'

const PLAN = 'p'
const MARKS: Readonly<Record<TaskKind, string>> = { rules: 'r', plan: PLAN }

export function markTask(kind: TaskKind, text: string): string {
  return MARKS[kind] + text
}

export function unmarkTask(marked: string): { readonly kind: TaskKind; readonly text: string } {
  return { kind: marked.startsWith(PLAN) ? 'plan' : 'rules', text: marked.slice(1) }
}

/** A plan without its text, which the worker already has. */
type PlanWithoutText = Omit<ReadingPlan, 'text' | 'structure' | 'readable'> & {
  /** Null if it equals the text. */
  readonly readable: string | null
}

export interface DecodedPlan {
  readonly kind: 'plan'
  readonly passages: number
  readonly sentences: number
  /** The whole structure, as JSON in UTF-8. */
  readonly json: Buffer
  readonly rest: PlanWithoutText
}

export type TaskResult = { readonly kind: 'reading'; readonly reading: Reading } | DecodedPlan

/**
 * Encodes a plan as lines: the numbers of passages and sentences, the plan without text and structure, the structure.
 */
export function encodePlan({ text, readable, structure, ...others }: ReadingPlan): string {
  const { passages } = structure
  const sentences = passages.reduce((sum, passage) => sum + sentencesIn(passage), 0)
  const rest: PlanWithoutText = { ...others, readable: readable === text ? null : readable }
  return [`${PLAN}${passages.length} ${sentences}`, JSON.stringify(rest), JSON.stringify(structure)].join(
    '\n',
  )
}

/** Throws if the bytes are neither a reading nor a plan. */
export function decodeTask(bytes: Buffer): TaskResult {
  if (bytes[0] !== PLAN.charCodeAt(0)) return { kind: 'reading', reading: decodeReading(bytes) }
  const next = createLines(bytes, 1)
  const [passages, sentences] = next().toString('latin1').split(' ').map(Number)
  const rest: PlanWithoutText = JSON.parse(next().toString('utf8'))
  return { kind: 'plan', passages: passages ?? 0, sentences: sentences ?? 0, rest, json: next() }
}

export function toPlan({ rest, json }: DecodedPlan, text: string): ReadingPlan {
  return {
    ...rest,
    text,
    readable: rest.readable ?? text,
    structure: JSON.parse(json.toString('utf8')),
  }
}

/**
 * The judge is an external model that decides on pairs of claims that the rules leave open. This file defines the
 * question, the valid answers and the verdicts. Pure.
 */
import type { LocatedClaim } from './claim.ts'
import type { Finding } from './finding.ts'
import { formatDay, formatPeriod } from './period.ts'

export const VERDICTS = ['conflict', 'restatement', 'change', 'compatible', 'unsure'] as const

export type Verdict = (typeof VERDICTS)[number]

/** The content of a claim in a question. Nothing else is sent to the judge. */
export interface QuestionSide {
  readonly text: string
  readonly subject: string
  readonly attribute: string
  readonly value: string
  readonly period: string | null
  readonly meant_as: string
  readonly said_on: string | null
}

export interface Question {
  readonly a: QuestionSide
  readonly b: QuestionSide
}

export interface JudgeAnswer {
  readonly verdict: Verdict
  readonly quoteA: string
  readonly quoteB: string
}

/** An unusable answer: it was malformed or too long, misquoted a statement, or the endpoint declined the question. */
export type Refusal = 'malformed' | 'misquoted' | 'too_long' | 'declined'

/** There was no answer. A retry may succeed. */
export type JudgeFailure = 'timeout' | 'unreachable' | 'busy' | 'forbidden' | 'server_error'

export type JudgeResponse =
  | { readonly kind: 'answered'; readonly answer: JudgeAnswer; readonly tokens: number }
  | { readonly kind: 'refused'; readonly why: Refusal; readonly tokens: number }
  | {
      readonly kind: 'failed'
      readonly why: JudgeFailure
      /** The number of tokens, if it is known. */
      readonly tokens: number
      readonly retryAfterMs: number | null
    }

/** The version of the question and the prompt. With a new version every pair is asked again. */
export const PROMPT_VERSION = 1

const MAX_TEXT = 800
const MAX_WORDS = 160

/** Does not depend on the order of the two claims. */
export function questionOf(one: LocatedClaim, other: LocatedClaim): Question {
  const [x, y] = [sideOf(one), sideOf(other)]
  return JSON.stringify(x) <= JSON.stringify(y) ? { a: x, b: y } : { a: y, b: x }
}

function sideOf(claim: LocatedClaim): QuestionSide {
  // For a claim about a whole sentence, both would repeat the sentence.
  const isWhole = claim.value.type === 'word' && claim.value.family === 'statement'
  return {
    text: plain(claim.quote, MAX_TEXT),
    subject: plain(claim.subject.text, MAX_WORDS),
    attribute: isWhole ? '' : plain(claim.attribute.text, MAX_WORDS),
    value: isWhole ? '' : plain(claim.valueText, MAX_WORDS),
    period: claim.period && formatPeriod(claim.period),
    meant_as: claim.modality,
    said_on: claim.assertedAt === null ? null : formatDay(claim.assertedAt),
  }
}

/** Puts the text on one line, so that a quote from it is an identical copy. */
function plain(text: string, most: number): string {
  return text.replaceAll(/\s+/gu, ' ').trim().slice(0, most).toWellFormed()
}

/** Shorter quotes occur in any text. */
const SHORTEST_QUOTE = 8

/** Returns true if both quotes occur in the question. An answer with invented evidence is refused. */
export function hasGenuineQuotes({ a, b }: Question, { verdict, quoteA, quoteB }: JudgeAnswer): boolean {
  if (!a.text.includes(quoteA) || !b.text.includes(quoteB)) return false
  if (!isFinding(verdict)) return true
  return isLongEnough(quoteA, a.text) && isLongEnough(quoteB, b.text)
}

function isLongEnough(quote: string, text: string): boolean {
  return quote.length >= Math.min(SHORTEST_QUOTE, text.length)
}

export function isFinding(verdict: Verdict): verdict is Finding['relation'] {
  return verdict === 'conflict' || verdict === 'restatement' || verdict === 'change'
}

/** A fixed confidence: the accuracy of the judge is not measured here. */
const JUDGED = 0.6

export interface JudgeFinding {
  readonly relation: Finding['relation']
  readonly reason: string
  readonly score: number
}

/** Translates a verdict into a finding; undefined if the verdict found none. */
export function toJudgeFinding(verdict: Verdict, model: string): JudgeFinding | undefined {
  return isFinding(verdict) ? { relation: verdict, reason: `judge:${model}`, score: JUDGED } : undefined
}

const FIRST_PAUSE_MS = 30_000
const MAX_PAUSE_MS = 3_600_000

/**
 * The retry delay after consecutive failures of a question. It is retried for ever, because no answer is not a verdict.
 */
export function judgeRetryDelayMs(failures: number, retryAfterMs: number | null): number {
  const pause = FIRST_PAUSE_MS * 2 ** Math.min(failures, 10)
  return Math.min(MAX_PAUSE_MS, Math.max(pause, retryAfterMs ?? 0))
}

/** A question with an unusable answer is asked once more, and then counts as unsure. */
export const MAX_REFUSALS = 2

/**
 * The judge: somebody outside who is asked about two claims on which rules do not decide. What is asked, what counts as an
 * answer, and what an answer amounts to. Pure.
 */
import type { LocatedClaim } from './claim.ts'
import type { Finding } from './finding.ts'
import { formatDay, formatPeriod } from './period.ts'

export const VERDICTS = ['conflict', 'restatement', 'change', 'compatible', 'unsure'] as const

export type Verdict = (typeof VERDICTS)[number]

/** The content of a claim, as it leaves the house. Nothing else does. */
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

/** No answer, and not for want of trying: it was malformed, quoted what is not there, or the endpoint declined the question. */
export type Refusal = 'malformed' | 'misquoted' | 'too_long' | 'declined'

/** Nothing was heard that could be judged; the same question may do better later. */
export type JudgeFailure = 'timeout' | 'unreachable' | 'busy' | 'forbidden' | 'server_error'

export type Asked =
  | { readonly kind: 'answered'; readonly answer: JudgeAnswer; readonly tokens: number }
  | { readonly kind: 'refused'; readonly why: Refusal; readonly tokens: number }
  | {
      readonly kind: 'failed'
      readonly why: JudgeFailure
      /** The number, where it is known. */
      readonly tokens: number
      readonly retryAfterMs: number | null
    }

/** The version of what is asked and of how it is put: with another number every pair is asked anew. */
export const PROMPT_VERSION = 1

const MAX_TEXT = 800
const MAX_WORDS = 160

/** The same whichever of the two comes first. */
export function questionOf(one: LocatedClaim, other: LocatedClaim): Question {
  const [x, y] = [sideOf(one), sideOf(other)]
  return JSON.stringify(x) <= JSON.stringify(y) ? { a: x, b: y } : { a: y, b: x }
}

function sideOf(claim: LocatedClaim): QuestionSide {
  // For a claim about a sentence as a whole, both are the sentence once more.
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

/** In one line, so that whoever copies it copies the same. */
function plain(text: string, most: number): string {
  return text.replaceAll(/\s+/gu, ' ').trim().slice(0, most).toWellFormed()
}

/** Shorter ones stand in any text. */
const SHORTEST_QUOTE = 8

/** Both quotes must stand in what was asked: whoever makes evidence up is not believed. */
export function isHonest({ a, b }: Question, { verdict, quoteA, quoteB }: JudgeAnswer): boolean {
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

/** Whatever the judge thinks of itself: nobody has measured it here. */
const JUDGED = 0.6

export interface Judged {
  readonly relation: Finding['relation']
  readonly reason: string
  readonly score: number
}

/** Translates a verdict for a comparison; nothing where it found nothing. */
export function judgedAs(verdict: Verdict, model: string): Judged | undefined {
  return isFinding(verdict) ? { relation: verdict, reason: `judge:${model}`, score: JUDGED } : undefined
}

const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 3_600_000

/** After so many failures in a row with the same question. It is never given up: silence is no answer. */
export function pauseAfter(failures: number, retryAfterMs: number | null): number {
  const pause = FIRST_PAUSE_MS * 2 ** Math.min(failures, 10)
  return Math.min(LONGEST_PAUSE_MS, Math.max(pause, retryAfterMs ?? 0))
}

/** An answer that is none is asked for once more; then it counts as unsure. */
export const MAX_REFUSALS = 2

/**
 * The request that asks a model for a verdict on one proposed pair, with both quotes in their context, and the parser
 * of its answer.
 */
import type { LocatedClaim } from '../domain/claim.ts'
import type { Severity } from '../domain/finding.ts'
import { VERDICTS } from '../domain/judge.ts'
import type { Verdict } from '../domain/judge.ts'
import type { ModelRequest } from '../domain/model.ts'
import { lineIn, parseAnswer, shareIn, wordIn } from './answer-fields.ts'
import { statementOf } from './facts.ts'
import type { Prompt } from './prompts/prompt.ts'
import { verifyPrompt, verifyWithinPrompt } from './prompts/verify.ts'
import { oneOf, record, share, text, textOrNull } from './schemas.ts'

export interface PairEvidence {
  readonly title: string | null
  readonly date: string | null
  readonly claim: LocatedClaim
  /** The text around the quote. */
  readonly before: string
  readonly after: string
}

export interface PairVerdict {
  readonly verdict: Verdict
  /** A question that a person would write: "Headcount at 31 March 2025: 187 or 203?" */
  readonly title: string
  readonly explanation: string
  readonly period: string | null
  readonly severity: Severity
  readonly confidence: number
}

const severities = ['low', 'medium', 'high', 'critical'] as const satisfies readonly Severity[]

const schema = record({
  verdict: oneOf(VERDICTS),
  title: text,
  explanation: text,
  period: textOrNull,
  severity: oneOf(severities),
  confidence: share,
})

/** `a` is the side of the earlier date, or of the lower document id where dates do not tell: one pair is one request. */
export function verificationRequest(a: PairEvidence, b: PairEvidence): ModelRequest {
  return requestOf(verifyPrompt, `concord_verify_v${verifyPrompt.version}`, a, b)
}

/** Compares two statements of one document; `a` is the first in the text. */
export function ownVerificationRequest(a: PairEvidence, b: PairEvidence): ModelRequest {
  return requestOf(verifyWithinPrompt, `concord_verify_within_v${verifyWithinPrompt.version}`, a, b)
}

function requestOf(prompt: Prompt, schemaName: string, a: PairEvidence, b: PairEvidence): ModelRequest {
  return {
    step: 'verify',
    promptVersion: prompt.version,
    system: prompt.text,
    user: JSON.stringify({ a: describeSide(a), b: describeSide(b) }),
    schemaName,
    schema,
    maxOutputTokens: 1_000,
  }
}

const maxAround = 500

function describeSide({ title, date, claim, before, after }: PairEvidence) {
  return {
    title,
    date,
    statement: statementOf(claim),
    meant_as: claim.stated?.modality ?? claim.modality,
    period: claim.stated?.period ?? null,
    before: before.slice(-maxAround).toWellFormed(),
    quote: claim.quote.toWellFormed(),
    after: after.slice(0, maxAround).toWellFormed(),
  }
}

const maxLength = { title: 300, explanation: 1200, period: 120 } as const

/** Returns null if the answer does not match the schema. */
export function readVerdict(content: string): PairVerdict | null {
  const answer = parseAnswer(content)
  if (answer === null) return null
  const verdict = wordIn(answer, 'verdict', VERDICTS)
  const title = lineIn(answer, 'title', maxLength.title)
  const explanation = lineIn(answer, 'explanation', maxLength.explanation)
  const severity = wordIn(answer, 'severity', severities)
  const confidence = shareIn(answer, 'confidence')
  if (verdict === null || severity === null || confidence === null) return null
  if (title === null || explanation === null) return null
  return {
    verdict,
    title,
    explanation,
    period: lineIn(answer, 'period', maxLength.period),
    severity,
    confidence,
  }
}

const reportedFrom = 0.5

/** Whether a verdict is a finding to report. */
export function isReported({ verdict, confidence }: PairVerdict): boolean {
  return verdict !== 'compatible' && verdict !== 'unsure' && confidence >= reportedFrom
}

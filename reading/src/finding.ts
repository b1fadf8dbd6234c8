/** The result of comparing the claims of one scope. A pure function of the claims: no clock, no order of arrival. */
import type { Claim, ClaimKind } from './claim.ts'

export type Relation = 'conflict' | 'restatement' | 'change' | 'refinement' | 'same' | 'not_comparable'

export type Severity = 'low' | 'medium' | 'high' | 'critical'

export interface Judgement {
  readonly relation: Relation
  /** Stable word: why it is not comparable, or which rule decided. */
  readonly reason: string
  /** How much speaks for it, between 0 and 1; what a finding of this rule and score is worth, experience says. */
  readonly score: number
}

/** A claim with the place it stands in. */
export interface PlacedClaim {
  readonly documentId: string
  readonly version: number
  /** Its number within the document. */
  readonly no: number
  readonly claim: Claim
}

/** One disagreement: two values for one thing. Further places that say the same as either side are counted only. */
export interface Finding {
  readonly relation: 'conflict' | 'restatement' | 'change'
  readonly kind: ClaimKind
  readonly rule: string
  /** The subject, as a person would put it; null where rules found it. */
  readonly title: string | null
  readonly subject: string
  readonly attribute: string
  readonly period: string | null
  readonly severity: Severity
  /** Probability that a person would call it a valid finding. */
  readonly confidence: number
  readonly explanation: string
  readonly a: PlacedClaim
  readonly b: PlacedClaim
  readonly further: number
}

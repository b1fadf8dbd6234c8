/** The report of a reading of a scope, in one form, whichever way the scope was read. Offsets are UTF-16. */
import type { ModelStep } from '@concord/service/src/domain/model.ts'

export type ReportRelation = 'conflict' | 'restatement' | 'change'

export interface Evidence {
  readonly document: string
  readonly start: number
  readonly end: number
  readonly quote: string
  /** Where the value itself stands, where that is known; it settles ties between reports on the same sentence. */
  readonly value: readonly [start: number, end: number] | null
}

export interface Report {
  readonly relation: ReportRelation
  readonly kind: string
  readonly rule: string
  readonly severity: string
  readonly confidence: number
  /** The score that the rules gave before it became confidence; null where the reader does not tell. */
  readonly score: number | null
  readonly a: Evidence
  readonly b: Evidence
  /** How the reader understood either side, where it lets itself be looked into. */
  readonly detail: readonly string[]
}

export interface ScopeText {
  readonly name: string
  readonly documents: readonly { readonly id: string; readonly name: string; readonly text: string }[]
}

export interface ReportPlace {
  readonly document: string
  readonly start: number
  readonly end: number
}

/** Why a labelled pair was not reported: a short cause to count by, and what a person wants to see. */
export interface Cause {
  readonly cause: string
  readonly detail: readonly string[]
}

export interface StepUsage {
  requests: number
  inputTokens: number
  outputTokens: number
}

export type Usage = Readonly<Record<ModelStep, StepUsage>>

/** The work of the steps of the model reader on a scope, asked by places in its texts. */
export interface ScopeStages {
  readonly usage: Usage
  readonly words: number
  readonly quotesDropped: number
  /** Passages that no answer covers. */
  readonly unread: number
  readonly proposals: number
  /** Items of comparisons that were refused. */
  readonly dropped: number
  /** Facts about which there was no answer, or none of the form that was asked for. */
  readonly declined: number
  /** Requests about contradictions inside documents without a recorded answer. */
  readonly unanswered: number
  readonly kept: number
  hasClaim(places: readonly ReportPlace[]): boolean
  /** Whether words alone bring the earlier side among the best candidates of the later one. */
  isCandidate(a: readonly ReportPlace[], b: readonly ReportPlace[], limit: number): boolean
  explain(a: readonly ReportPlace[], b: readonly ReportPlace[]): Cause
}

export interface ScopeReading {
  readonly reports: readonly Report[]
  readonly claims: number
  /** Pairs that were compared; null where the reader does not tell. */
  readonly pairs: number | null
  /** Null where the inside of the reader is not to be seen. */
  readonly explain: ((a: readonly ReportPlace[], b: readonly ReportPlace[]) => Cause) | null
  /** How far labelled pairs come, step by step; only of the model reader. */
  readonly stages?: ScopeStages
}

export interface Reader {
  read(scope: ScopeText): Promise<ScopeReading>
  /** How fast it was over all scopes, in words. */
  pace(): string
  /** Tokens of a language model that it took, over all scopes. */
  cost(): Promise<string>
}

/** What a reading of a scope reports, in one form, whichever way the scope was read. Offsets are UTF-16. */

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
  /** What the rules gave before it became confidence; null where the reader does not tell. */
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

export interface Place {
  readonly document: string
  readonly start: number
  readonly end: number
}

/** Why a labelled pair was not reported: a short cause to count by, and what a person wants to see. */
export interface Cause {
  readonly cause: string
  readonly detail: readonly string[]
}

export interface ScopeReading {
  readonly reports: readonly Report[]
  readonly claims: number
  /** Pairs that were compared; null where the reader does not tell. */
  readonly pairs: number | null
  /** Null where the inside of the reader is not to be seen. */
  readonly explain: ((a: readonly Place[], b: readonly Place[]) => Cause) | null
}

export interface Reader {
  read(scope: ScopeText): Promise<ScopeReading>
  /** How fast it was over all scopes, in words. */
  pace(): string
  /** Tokens of a language model that it took, over all scopes. */
  cost(): Promise<string>
}

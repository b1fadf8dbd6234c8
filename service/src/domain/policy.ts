/** The requests to the policies and their decisions: the four policy points, the facts at each, and the decision. */

export type PolicyPoint = 'admit_document' | 'process_document' | 'settle_contradiction' | 'settle_scope'

export const POLICY_POINTS: readonly PolicyPoint[] = [
  'admit_document',
  'process_document',
  'settle_contradiction',
  'settle_scope',
]

interface InScope {
  readonly tenantId: string
  readonly scopeId: string
}

/** A value that is expensive to compute may be a getter: only the values that the policies in force use are read. */
export interface DocumentFacts {
  readonly type: string
  readonly characters: number
  readonly version: number
  readonly name: string
  readonly source: string | null
}

export interface ContradictionFacts {
  readonly relation: string
  readonly kind: string
  readonly severity: keyof typeof SEVERITY_RANKS
  /** 0 to 1; null for a contradiction that a person reported. */
  readonly confidence: number | null
  readonly reported: boolean
  readonly sameDocument: boolean
}

/** Shares from 0 to 1. */
export interface ScopeFacts {
  readonly state: string
  readonly score: number
  readonly coverage: number
  readonly agreement: number
  readonly resolution: number
  readonly stability: number
  readonly documents: number
  readonly unfinished: number
  readonly held: number
  readonly failed: number
  /** Documents that were not read completely, or in which no claim was found. */
  readonly gaps: number
  readonly claims: number
  /** Claims that were compared with a claim of another document. */
  readonly compared: number
  /** Groups of claims that were not compared completely. */
  readonly incomplete: number
  /** `rules`, `model`, `mixed` or `none`. */
  readonly reader: string
  readonly open: Readonly<Record<keyof typeof SEVERITY_RANKS, number>>
}

/**
 * Sums up the readers of a scope's documents in one word. Each reader has a name and a version: `rules/1`, `model:x/2`.
 */
export function readerKindOf(readers: readonly (string | null)[]): string {
  const kinds = new Set(readers.map((reader) => reader?.split(/[:/]/, 1)[0] ?? 'none'))
  const [kind = 'none'] = kinds
  return kinds.size > 1 ? 'mixed' : kind
}

export type PolicyQuestion = InScope &
  (
    | { readonly point: 'admit_document'; readonly documentId: string; readonly document: DocumentFacts }
    | {
        readonly point: 'process_document'
        readonly documentId: string
        readonly document: DocumentFacts
        readonly stage: string
        readonly model: string
        readonly external: boolean
      }
    | {
        readonly point: 'settle_contradiction'
        readonly contradictionId: string
        readonly contradiction: ContradictionFacts
      }
    | { readonly point: 'settle_scope'; readonly scope: ScopeFacts }
  )

/**
 * `permitted`: a policy permits the action. `forbidden`: a policy forbids it. `not_permitted`: no policy permits it.
 * `undecidable`: a forbidding policy could not be evaluated, or the policy set cannot be parsed any more. Everything
 * except `permitted` is denied.
 */
export type PolicyReason = 'permitted' | 'forbidden' | 'not_permitted' | 'undecidable'

export interface PolicyDecision {
  readonly allowed: boolean
  readonly reason: PolicyReason
  /** The ids of the policies that decided, each with its source: `default/…`, `tenant/…` or `scope/…`. */
  readonly policies: readonly string[]
  /** The hash of the whole policy set, in hexadecimal. */
  readonly hash: string
}

export const SEVERITY_RANKS = { low: 1, medium: 2, high: 3, critical: 4 } as const

/** The policy texts of a tenant and of a scope. The default policies always apply too. */
export interface PolicyTexts {
  readonly tenant: string
  readonly scope: string
}

/** A fault in a policy text, and its position. */
export interface PolicyProblem {
  readonly line: number
  readonly column: number
  readonly code:
    | 'syntax'
    | 'invalid'
    | 'id_missing'
    | 'id_invalid'
    | 'id_repeated'
    | 'template'
    | 'too_deep'
    | 'too_many'
  readonly message: string
  readonly help: string | null
}

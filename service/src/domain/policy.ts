/** The questions to a policy and its answers: the four points, what is known at each, and the decision. */

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

/** A value that costs something to know may be a getter: only what the policies in force ask for is read. */
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
  /** 0 to 1; null where it was reported. */
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

/** The reader of a scope in one word, by the readers of its documents, each as name and version: `rules/1`, `model:x/2`. */
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
 * `permitted`; `forbidden`: a policy forbids it; `not_permitted`: none permits it; `undecidable`: a policy that forbids could
 * not be evaluated, or the set cannot be read any more. Whatever is not permitted is not allowed.
 */
export type PolicyReason = 'permitted' | 'forbidden' | 'not_permitted' | 'undecidable'

export interface PolicyDecision {
  readonly allowed: boolean
  readonly reason: PolicyReason
  /** The ids of those that decided, each with where it comes from: `default/…`, `tenant/…` or `scope/…`. */
  readonly policies: readonly string[]
  /** The hash of the whole set that was asked, in hexadecimal. */
  readonly hash: string
}

export const SEVERITY_RANKS = { low: 1, medium: 2, high: 3, critical: 4 } as const

/** Texts of a tenant and of a scope; the ones that ship are always beside them. */
export interface PolicyTexts {
  readonly tenant: string
  readonly scope: string
}

/** A fault of a text, and its place. */
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

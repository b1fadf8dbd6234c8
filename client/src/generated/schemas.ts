// Written by `node tools/write-client.ts` from contract/openapi.json. Do not edit.

export interface AttachDocumentBody {
  /** Display name of the document. */
  readonly name: string
  /** The type of the text; the default is `txt`. Default: `"txt"`. */
  readonly type?: string
  /** The whole text. A character is a Unicode code point. */
  readonly text: string
  /** Generated if omitted. */
  readonly document_id?: DocumentId
  /** Where the document comes from. Stored as text, never fetched. */
  readonly source?: string
  /** A stable reference: content hash, source URI or external id. Stored as text, never fetched. */
  readonly provenance?: string
  /** Tags to filter documents by; at most 20, each once. Tags and metadata replace those of the document if you send either. */
  readonly tags?: readonly string[]
  /** Your own name-value pairs; at most 20. */
  readonly metadata?: Readonly<Record<string, string>>
}

export interface Attempt {
  readonly tenant_id: TenantId
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  /** The number of the attempt; 0 until a worker starts it. */
  readonly attempt: number
  readonly started_at: Timestamp
}

export interface AuditHead {
  /** Number of entries of the audit log that have a position in the chain. */
  readonly seq: number
  /** MAC over all of them. Store it with `seq` outside of the database to detect later that entries were cut off. */
  readonly head: string
  /** Entries without a position in the chain, counted up to 10,000. */
  readonly unchained: number
  /** Age of the oldest of these entries, in milliseconds; null if there is none. */
  readonly oldest_unchained_age_ms: number | null
}

export type Certificate = CertificateForm2 | CertificateForm1

/** Which scope was declared settled, when, and in which state of its log. */
export interface CertificateAbout {
  readonly certificate_id: CertificateId
  readonly tenant_id: TenantId
  readonly scope_id: ScopeId
  /** The generation of the scope. */
  readonly epoch: number
  /** Its number in the chain of the scope. */
  readonly number: number
  /** The position in the log at which the scope was settled. */
  readonly log_position: Seq
  /** The decision by which it was declared settled. */
  readonly decision_id: DecisionId
  readonly issued_at: Timestamp
}

/** SHA-256 of each part in canonical form (RFC 8785). */
export interface CertificateDigests {
  readonly about: Sha256
  readonly evidence: Sha256
  readonly policy: Sha256
  readonly scores: Sha256
  readonly previous: Sha256
  readonly reading: Sha256
}

/** SHA-256 of each part in canonical form (RFC 8785). */
export interface CertificateDigestsForm1 {
  readonly about: Sha256
  readonly evidence: Sha256
  readonly policy: Sha256
  readonly scores: Sha256
  readonly previous: Sha256
}

/** How much evidence the certificate is about, and the hash over all of it. */
export interface CertificateEvidence {
  /** Root of the Merkle tree (RFC 6962) over all leaves. */
  readonly root: Sha256
  /** Leaves that are documents. */
  readonly documents: number
  /** Leaves that are claims. */
  readonly claims: number
  /** Leaves that are contradictions. */
  readonly contradictions: number
  /** Leaves that are decisions. */
  readonly decisions: number
}

/** It says nothing about what was read. */
export interface CertificateForm1 {
  /** The form of the certificate. */
  readonly format: "concord-certificate/1"
  /** SHA-256 of the public key (SubjectPublicKeyInfo, DER). */
  readonly key_id: Sha256
  readonly about: CertificateAbout
  readonly evidence: CertificateEvidence
  readonly policy: CertificatePolicy
  /** Null for the first of a scope. */
  readonly previous: CertificatePrevious | null
  /** Ed25519 over the canonical form of `format`, `key_id` and `digests`, in base64url. */
  readonly signature: string
  readonly scores: CertificateScoresForm1
  readonly digests: CertificateDigestsForm1
}

export interface CertificateForm2 {
  /** The form of the certificate. */
  readonly format: "concord-certificate/2"
  /** SHA-256 of the public key (SubjectPublicKeyInfo, DER). */
  readonly key_id: Sha256
  readonly about: CertificateAbout
  readonly evidence: CertificateEvidence
  readonly policy: CertificatePolicy
  /** Null for the first of a scope. */
  readonly previous: CertificatePrevious | null
  /** Ed25519 over the canonical form of `format`, `key_id` and `digests`, in base64url. */
  readonly signature: string
  readonly scores: CertificateScores
  readonly reading: CertificateReading
  readonly digests: CertificateDigests
}

/** Names a certificate. */
export type CertificateId = string

export interface CertificateKey {
  readonly key_id: Sha256
  /** New certificates are signed with it. */
  readonly signs: boolean
  /** SubjectPublicKeyInfo as PEM. */
  readonly public_key: string
}

export interface CertificateKeys {
  /** All keys that certificates of this service are or were signed with. */
  readonly keys: readonly CertificateKey[]
}

/** The policies under which the scope was declared settled. */
export interface CertificatePolicy {
  /** Of the policies in force; null where there are none. */
  readonly hash: Sha256 | null
  /** Those that decided. */
  readonly policies: readonly string[]
}

export interface CertificatePrevious {
  readonly certificate_id: CertificateId
  /** Of the whole certificate before this one. */
  readonly hash: Sha256
  /** Position in the log at which new evidence arrived; null if only the policies changed. */
  readonly reopened_at: Seq | null
}

/** How much was read and compared. */
export interface CertificateReading {
  /** The readers and how many documents each has read, sorted by name and version. */
  readonly readers: readonly ({
    /** The name of the reader: `rules`, or `model` and which one. */
    readonly reader: string
    /** Its version. */
    readonly reader_version: string
    /** How many documents this reader has read. */
    readonly documents: number
  })[]
  /** Characters read over characters, in millionths and rounded down: 1 only if all were read. */
  readonly coverage: number
  /** Characters of all documents. */
  readonly characters: number
  /** Characters of them that were read. */
  readonly characters_read: number
  /** Documents that were not read completely, or in which no claim was found. */
  readonly documents_with_gaps: number
  /** Claims that were found in them. */
  readonly claims: number
  /** Claims that were compared with a claim of another document. */
  readonly claims_compared: number
  /** Groups of claims that were too large to be compared completely. */
  readonly comparisons_incomplete: number
}

/** How settled the scope was when it was declared settled. */
export interface CertificateScores {
  /** The state of the scope. Other states than `settled` need a policy that permits them. */
  readonly state: "settled" | "converging" | "unassessed"
  /** How settled the scope was, from 0 to 1. */
  readonly score: number
  readonly parts: ConvergenceParts
}

/** How settled the scope was when it was declared settled. */
export interface CertificateScoresForm1 {
  /** The state of the scope; this form has no other. */
  readonly state: "settled"
  /** How settled the scope was, from 0 to 1. */
  readonly score: number
  readonly parts: ConvergenceParts
}

export interface Claim {
  readonly claim_id: ClaimId
  readonly document_id: DocumentId
  /** The version of the document that makes the claim. */
  readonly version: number
  readonly kind: ClaimKind
  /** The subject of the claim; null if the text does not say. */
  readonly entity: string | null
  /** The property of the entity that the claim states. */
  readonly attribute: string
  /** Words that separate it from claims about another measure or scenario. */
  readonly qualifiers: readonly string[]
  readonly value: ClaimValue
  /** `denied` if the text says that there is none or that something is not so, else `affirmed`. */
  readonly polarity: "affirmed" | "denied"
  readonly modality: Modality
  /** The period that the claim is about; null if the text does not say. */
  readonly period: string | null
  /** The date of the statement, according to the document; null if it has none. */
  readonly asserted_at: string | null
  /** The words of the document, unchanged. */
  readonly quote: string
  /** Offset of the first character of the quote in the text. */
  readonly start: number
  /** Offset after its last character. */
  readonly end: number
  /** The position of the value in the file. Null if the text was sent instead of a file, and if there is no heading above it. */
  readonly location: FileLocation | null
  /** The probability that the claim was read correctly. */
  readonly confidence: number
  readonly extracted_at: Timestamp
}

/** Names a claim. */
export type ClaimId = string

/** The kind of the claim. `level` is a position on an ordered scale, `existence` that there is such a thing or none, `identity` who or what it is. */
export type ClaimKind = "money" | "percent" | "count" | "measure" | "ratio" | "date" | "duration" | "version" | "level" | "status" | "existence" | "identity"

export interface ClaimLeaf {
  /** Says that the leaf is about a claim. */
  readonly type: "claim"
  readonly claim_id: ClaimId
  readonly document_id: DocumentId
  /** The version of the document that makes the claim. */
  readonly version: number
  readonly kind: ClaimKind
  /** Offset of the first character of the quote in the text, in code points. */
  readonly start: number
  /** Offset after the last character of the quote, in code points. */
  readonly end: number
  /** Of the quote in UTF-8: the text from `start` to `end`. */
  readonly quote_sha256: Sha256
  /** Of the whole claim as it is kept. */
  readonly content_sha256: Sha256
}

/** What the claim says, in a form that can be compared; fields that its kind does not use are null. */
export interface ClaimValue {
  readonly kind: ClaimKind
  /** The value as the document states it. */
  readonly text: string
  /** The number, or the lower end of a range; null if that end is open or the value is not a number. */
  readonly low: number | null
  /** The upper end of a range, else equal to `low`; null if that end is open or the value is not a number. */
  readonly high: number | null
  /** Currency, `%`, unit, or what is counted; durations are in seconds (`s`). Null if the value has none. */
  readonly unit: string | null
  /** The document says "about", "nearly" or the like. */
  readonly approximate: boolean
  /** The side of a limit that is permitted: numbers at least, at most, above or below this one; null if the value is not a limit. */
  readonly bound: "at_least" | "at_most" | "more_than" | "less_than" | null
  /** The day, or the first day of the period; null if the value is not a date. */
  readonly first_day: string | null
  /** The last day of the month, quarter or year, else equal to `first_day`; null if the value is not a date. */
  readonly last_day: string | null
  /** The status, level or name in canonical words; null for other kinds. */
  readonly word: string | null
  /** The set of mutually exclusive words that a status or level belongs to; null for other kinds. */
  readonly family: string | null
  /** Whether the document says that there is one; null unless the kind is `existence`. */
  readonly exists: boolean | null
}

export interface Contradiction {
  readonly contradiction_id: ContradictionId
  readonly scope_id: ScopeId
  readonly status: ContradictionStatus
  readonly relation: Relation
  readonly kind: ContradictionKind
  /** The subject in one line. Null unless a language model found it. */
  readonly title: string | null
  /** The subject of both sides, such as a company; null if the text does not say. */
  readonly entity: string | null
  /** The property that both sides state, such as revenue; null if the text does not say. */
  readonly attribute: string | null
  /** The period that both sides are about; null if the text does not say. */
  readonly period: string | null
  readonly severity: Severity
  /** The probability that a person would call it a contradiction. Null if it was reported. */
  readonly confidence: number | null
  /** Whether both sides are in the same document. */
  readonly internal: boolean
  /** One side: of a change the earlier one, of a restatement the one that is corrected. */
  readonly a: ContradictionSide
  /** The other side: of a change the later one, of a restatement the one that corrects. */
  readonly b: ContradictionSide
  /** The difference of the values; null if they are not numbers, or in different units. */
  readonly difference: Difference | null
  /** What the two sides disagree about, in one or two sentences. */
  readonly explanation: string
  /** The number of other places in the documents that state the same as either side. */
  readonly further: number
  /** The note of the reporter; null if there is none or it was not reported. */
  readonly note: string | null
  /** The rule, model or reporter that found it. */
  readonly decided_by: string
  readonly opened_at: Timestamp
  readonly updated_at: Timestamp
  /** The last decision about it; null if there is none. */
  readonly resolution: Resolution | null
}

/** Names a contradiction. */
export type ContradictionId = string

/** The kind of both claims; `reported` if a person or another system reported it. */
export type ContradictionKind = "money" | "percent" | "count" | "measure" | "ratio" | "date" | "duration" | "version" | "level" | "status" | "existence" | "identity" | "reported"

export interface ContradictionLeaf {
  /** Says that the leaf is about a contradiction. */
  readonly type: "contradiction"
  readonly contradiction_id: ContradictionId
  readonly relation: Relation
  readonly kind: ContradictionKind
  readonly severity: Severity
  readonly status: ContradictionStatus
  /** The documents of both sides, where they are known. */
  readonly document_ids: readonly DocumentId[]
  /** Of what it says, as it is kept. */
  readonly content_sha256: Sha256
}

/** `newest`: the last opened first. `severity`: the most severe first, then by confidence, where a reported one counts as 1, then the last opened first. */
export type ContradictionOrder = "newest" | "severity"

/** The statement of one side and its position in the document. */
export interface ContradictionSide {
  /** Name of the document, or the name that the reporter used. */
  readonly source: string
  /** The document of this side; null if a report names none that exists in the scope. */
  readonly document_id: DocumentId | null
  /** The version of the document; null if no document is known. */
  readonly version: number | null
  /** The claim of this side; null if the side was reported. */
  readonly claim_id: ClaimId | null
  /** The words of the document, unchanged. */
  readonly quote: string
  /** Offset of the first character of the quote in the text; null if the side was reported. */
  readonly start: number | null
  /** Offset after the last character of the quote; null if the side was reported. */
  readonly end: number | null
  /** The position of the value in the file. Null if the text was sent instead of a file, and if there is no heading above it. */
  readonly location: FileLocation | null
  /** The value of the side, in a form that can be compared; null if it was reported. */
  readonly value: ClaimValue | null
  /** The date of the statement, according to the document; null if it has none. */
  readonly asserted_at: string | null
}

/** `open`: not decided yet. `resolved`: a decision says which side is right. `dismissed`: a decision says that it is not a contradiction. */
export type ContradictionStatus = "open" | "resolved" | "dismissed"

/** How many contradictions the scope has, and the newest open ones. */
export interface ContradictionsAtAGlance {
  /** All contradictions, in every status. */
  readonly total: number
  /** How many there are in each status. */
  readonly by_status: {
    /** Contradictions without a decision. */
    readonly open: number
    /** Contradictions for which a decision says which side is right. */
    readonly resolved: number
    /** Contradictions for which a decision says that they are not contradictions. */
    readonly dismissed: number
  }
  /** Counts of open contradictions. */
  readonly by_severity: {
    /** Open contradictions of low severity. */
    readonly low: number
    /** Open contradictions of medium severity. */
    readonly medium: number
    /** Open contradictions of high severity; any of them keeps the scope `contested`. */
    readonly high: number
    /** Open contradictions of critical severity; any of them keeps the scope `contested`. */
    readonly critical: number
  }
  /** Counts of open contradictions. */
  readonly by_relation: {
    /** Open contradictions whose sides cannot both be true. */
    readonly conflict: number
    /** Open contradictions in which one side says that it replaces the other. */
    readonly restatement: number
    /** Open contradictions whose sides were both true, one after the other. */
    readonly change: number
  }
  /** Counts of open contradictions. */
  readonly by_kind: {
    /** Open contradictions about amounts of money. */
    readonly money: number
    /** Open contradictions about percentages. */
    readonly percent: number
    /** Open contradictions about how many there are of something. */
    readonly count: number
    /** Open contradictions about measured quantities, such as lengths or weights. */
    readonly measure: number
    /** Open contradictions about ratios. */
    readonly ratio: number
    /** Open contradictions about dates. */
    readonly date: number
    /** Open contradictions about how long something takes. */
    readonly duration: number
    /** Open contradictions about version numbers. */
    readonly version: number
    /** Open contradictions about positions on an ordered scale. */
    readonly level: number
    /** Open contradictions about the state that something is in. */
    readonly status: number
    /** Open contradictions about whether there is such a thing. */
    readonly existence: number
    /** Open contradictions about who or what something is. */
    readonly identity: number
    /** Open contradictions that a person or another system reported. */
    readonly reported: number
  }
  /** The newest open contradictions, with both quotes. */
  readonly newest: readonly Contradiction[]
}

export interface ControlPlaneHealth {
  readonly status: KernelStatus
  /** One result for each probe. */
  readonly probes: readonly Probe[]
  /** Whether the database schema is the one that this release needs. */
  readonly migrations: {
    /** Migrations that the database has applied. */
    readonly applied: number
    /** Migrations that this release needs. */
    readonly expected: number
  }
  readonly runtime: ServiceSwitch
  /** Milliseconds since the last heartbeat of any hatchery; null if there was none recently. */
  readonly hatchery_heartbeat_age_ms: number | null
}

/** How settled the scope is, what keeps it from being settled and how the score has moved. */
export interface Convergence {
  readonly scope_id: ScopeId
  /** How settled the scope is, from 0 to 1. */
  readonly score: number
  readonly state: ConvergenceState
  readonly parts: ConvergenceParts
  /** Claims of the current versions. */
  readonly claims: number
  /** Claims that were compared with at least one claim of another document. */
  readonly claims_compared: number
  /** Comparisons that wait or run: by a language model, each of up to 100 statements, or of up to 100 groups of claims after a document was removed. While there are any, the scope is `working`. */
  readonly comparisons_pending: number
  /** Comparisons by a language model that are held, by reason. */
  readonly comparisons_held: {
    /** Comparisons that are held because no policy permits sending their document to the model. Permit it, or remove the document. */
    readonly not_permitted: number
    /** Comparisons that are held because the token budget of the tenant is used up, until the next period begins or the budget is raised. */
    readonly over_budget: number
  }
  readonly trend: ConvergenceTrend
  /** What keeps the scope from being settled, worst first. */
  readonly blockers: readonly ConvergenceBlocker[]
  /** Number of all blockers, including those that are not listed. */
  readonly blockers_total: number
  /** The position in the log that this state belongs to. */
  readonly seq: Seq
  /** The last 50 points, newest last. A point is added when the state changes, or the score by 0.01 or more. */
  readonly points: readonly ConvergencePoint[]
}

/** How settled the scope is, with the first few blockers. */
export interface ConvergenceAtAGlance {
  /** How settled the scope is, from 0 to 1. */
  readonly score: number
  readonly state: ConvergenceState
  readonly parts: ConvergenceParts
  /** Claims of the current versions. */
  readonly claims: number
  /** Claims that were compared with at least one claim of another document. */
  readonly claims_compared: number
  /** Comparisons that wait or run: by a language model, each of up to 100 statements, or of up to 100 groups of claims after a document was removed. While there are any, the scope is `working`. */
  readonly comparisons_pending: number
  /** Comparisons by a language model that are held, by reason. */
  readonly comparisons_held: {
    /** Comparisons that are held because no policy permits sending their document to the model. Permit it, or remove the document. */
    readonly not_permitted: number
    /** Comparisons that are held because the token budget of the tenant is used up, until the next period begins or the budget is raised. */
    readonly over_budget: number
  }
  /** What keeps the scope from being settled, worst first. */
  readonly blockers: readonly ConvergenceBlocker[]
  /** Number of all blockers, including those that are not listed. */
  readonly blockers_total: number
}

export interface ConvergenceBlocker {
  /** `document_unread`: nothing of it was read. `document_partly_read`: not all of it was. `document_language`: it holds text in a language that the reader cannot read. `document_without_claims`: it was read, and no claim was found in it. `comparison_incomplete`: not all claims of the scope were compared. `comparison_pending`: claims of the scope wait to be compared by a language model, see `comparisons_pending`. `comparison_not_permitted`: no policy permits that some of its documents are sent to the model that compares; they are compared when one does. `comparison_over_budget`: the token budget of the tenant is used up; what is left is compared in the next period, or when the budget is raised. The reading report of the document has the figures. */
  readonly kind: "contradiction_open" | "document_failed" | "document_held" | "document_unread" | "document_partly_read" | "document_language" | "document_without_claims" | "comparison_incomplete" | "comparison_pending" | "comparison_not_permitted" | "comparison_over_budget" | "document_unfinished"
  /** The id of the contradiction or document to act on; for kinds that begin with `comparison_`, the id of the scope. */
  readonly id: string
  /** The severity of a contradiction; null for every other kind. */
  readonly severity: Severity | null
}

/** The four shares that make up the score, each from 0 to 1. */
export interface ConvergenceParts {
  /** Characters that were read, divided by the characters of all accepted documents. */
  readonly coverage: number
  /** Compared claims without an open contradiction, divided by all compared claims; 0 if none was compared. See `claims` and `claims_compared`. */
  readonly agreement: number
  /** Closed contradictions, divided by all. Each severity has twice the weight of the one below; contradictions of relation `change` have no weight. */
  readonly resolution: number
  /** Documents without an open contradiction, divided by all accepted documents. */
  readonly stability: number
}

export interface ConvergencePoint {
  /** Position of `convergence.changed` in the log. */
  readonly seq: Seq
  readonly at: Timestamp
  /** How settled the scope was then, from 0 to 1. */
  readonly score: number
  readonly parts: ConvergenceParts
  readonly state: ConvergenceState
  /** Number of completed documents at that point, counting each completion. */
  readonly documents: number
}

/** `empty`: nothing was accepted. `working`: documents are being read or compared. `contested`: a contradiction of severity high or critical is open. `converging`: something else keeps it from being settled; `blockers` names it. `unassessed`: nothing blocks it, but less than a tenth of its claims was compared with another document. `settled`: everything was read, and nothing was found that is still open. */
export type ConvergenceState = "empty" | "working" | "contested" | "converging" | "unassessed" | "settled"

/** The trend over the last ten points and the current score. */
export interface ConvergenceTrend {
  /** The trend of the score: `plateau` if it hardly changes, `oscillating` if it changed direction three times or more. */
  readonly shape: "rising" | "falling" | "plateau" | "oscillating"
  /** Change of the score for each completed document. */
  readonly rate: number
  /** Estimated number of documents until the scope is settled, at this rate; null unless documents are being read and the score rises. */
  readonly documents_to_go: number | null
}

export interface CreateContradictionBody {
  readonly scope_id: ScopeId
  /** The statement of the document, quoted or in your words. */
  readonly claim_a: string
  /** The statement of the document, quoted or in your words. */
  readonly claim_b: string
  /** Id or name of the document. */
  readonly source_a: string
  /** Id or name of the document. */
  readonly source_b: string
  readonly severity: Severity
  /** A note for the person who resolves it. */
  readonly note?: string
}

export interface CreateDocumentBody {
  /** Display name of the document. */
  readonly name: string
  /** The type of the text; the default is `txt`. Default: `"txt"`. */
  readonly type?: string
  /** Without text the document is only registered. */
  readonly text?: string
  /** Generated if omitted. */
  readonly document_id?: DocumentId
  /** Where the document comes from. Stored as text, never fetched. */
  readonly source?: string
  /** A stable reference: content hash, source URI or external id. Stored as text, never fetched. */
  readonly provenance?: string
  /** Tags to filter documents by; at most 20, each once. Tags and metadata replace those of the document if you send either. */
  readonly tags?: readonly string[]
  /** Your own name-value pairs; at most 20. */
  readonly metadata?: Readonly<Record<string, string>>
  readonly scope_id: ScopeId
}

export interface CreateOwnScopeBody {
  readonly scope_id: ScopeId
  /** Display name of the scope. */
  readonly display_name?: string
}

export interface CreateScopeBody {
  readonly scope_id: ScopeId
  /** Display name of the scope. */
  readonly display_name?: string
  /** Cedar policies, each with an id: `@id("…")`. The documentation has the schema and the built-in policies. */
  readonly policy?: string
}

export interface CreateTenantRequest {
  /** Display name of the tenant. */
  readonly name: string
}

export interface CreateTenantResponse {
  readonly tenant_id: TenantId
  /** The whole key. It is shown only once. */
  readonly api_key: string
  /** The part of the key before its secret; safe to log. */
  readonly key_prefix: string
  /** What happened, for people to read; the wording may change. */
  readonly message: string
  readonly [name: string]: unknown
}

/** `person`: a person with a key; `policy`: a policy; `evidence`: a document that arrived later. */
export type DecidedBy = "policy" | "person" | "evidence"

export interface Decision {
  readonly decision_id: DecisionId
  readonly scope_id: ScopeId
  readonly point: PolicyPoint
  readonly result: DecisionResult
  /** The contradiction that was decided; null where the decision is not about one. */
  readonly contradiction_id: ContradictionId | null
  /** The documents that the decision is about; for a decision by evidence, the documents that are the evidence. */
  readonly document_ids: readonly DocumentId[]
  /** Which side is right, in the current order of sides; null unless it was resolved. */
  readonly holds: Holds | null
  readonly decided_by: DecidedBy
  /** Prefix of the key that was used, or another actor. Null if no request caused it. */
  readonly actor: string | null
  /** The person who decided, as named in the request; null if none was named. */
  readonly by: string | null
  /** The reason, as given in the request; null if none was given. */
  readonly reason: string | null
  /** Ids of the policies that decided, if any. */
  readonly policies: readonly string[]
  /** SHA-256 of the policies at that time, in hexadecimal digits; null if no policy was evaluated. */
  readonly policy_hash: string | null
  /** Position of its event in the log of the scope. */
  readonly seq: Seq
  readonly decided_at: Timestamp
}

/** Names a decision. */
export type DecisionId = string

export interface DecisionLeaf {
  /** Says that the leaf is about a decision. */
  readonly type: "decision"
  readonly decision_id: DecisionId
  readonly point: PolicyPoint
  readonly result: DecisionResult
  readonly decided_by: DecidedBy
  /** The contradiction that was decided; null where the decision is not about one. */
  readonly contradiction_id: ContradictionId | null
  /** The documents that the decision is about. */
  readonly document_ids: readonly DocumentId[]
  /** Which side holds; null unless a contradiction was resolved. */
  readonly holds: Holds | null
  /** Hash of the policies that were asked; null where none were. */
  readonly policy_hash: Sha256 | null
  /** Ids of the policies that decided. */
  readonly policies: readonly string[]
  readonly seq: Seq
}

/** What was decided: a policy `allowed`, `held` or `refused` something, a person `released` a held document, or a contradiction was `resolved`, `dismissed` or `reopened`. */
export type DecisionResult = "allowed" | "held" | "refused" | "resolved" | "dismissed" | "reopened" | "released"

export interface DeclareSettledBody {
  /** Who declares it. */
  readonly by?: string
  /** Why. */
  readonly reason?: string
}

export interface DeletedScope {
  readonly scope_id: ScopeId
  readonly removed: RemovedContent
}

/** A dependency or part of the service, as probes and events name it. */
export type Dependency = "database" | "broker" | "migrations" | "dispatcher" | "hatchery" | "model" | "audit"

export interface Difference {
  /** The difference between the nearest ends of both values. */
  readonly amount: number
  /** The unit of both values; `d`, days, between dates. */
  readonly unit: string
  /** The difference as a share of the larger value; null between dates. */
  readonly share: number | null
}

export interface Document {
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  /** Display name of the document. */
  readonly name: string
  /** The type of the text as you sent it, such as `txt`. */
  readonly type: string
  /** Where the document comes from, as you sent it; null if you sent none. */
  readonly source: string | null
  /** The stable reference that you sent; null if you sent none. */
  readonly provenance: string | null
  /** Tags that you set to filter documents by. */
  readonly tags: readonly string[]
  /** Your own name-value pairs; at most 20. */
  readonly metadata: Readonly<Record<string, string>>
  /** New text creates a new version; 0 while there is no text. */
  readonly version: number
  readonly status: DocumentStatus
  /** Null unless `processing`. */
  readonly stage: Stage | null
  /** Attempts started on this version; each is counted before it starts. */
  readonly attempt: number
  /** Why the last attempt on this version failed; null if it did not fail. */
  readonly error: DocumentFailure | null
  /** Why it is held; null unless `held`. */
  readonly hold: DocumentHold | null
  /** How much of this version was read; null unless `processed` or `failed`. */
  readonly reading: ReadingReport | null
  /** Pages and slides of the file without text, such as scans, and unread attachments; the first 100. Empty if the text itself was sent. `reading.unread` has the unread parts of the text. */
  readonly unread: readonly UnreadFilePart[]
  /** How many such parts the file has. */
  readonly unread_total: number
  /** The dependency that a `queued` document waits for: `model` if the language model that reads it does not answer, else null. It continues automatically, and no attempt is counted. */
  readonly waiting_for: "model" | null
  /** Null unless it waits for the model. */
  readonly waiting_reason: WaitingReason | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface DocumentDetail {
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  /** Display name of the document. */
  readonly name: string
  /** The type of the text as you sent it, such as `txt`. */
  readonly type: string
  /** Where the document comes from, as you sent it; null if you sent none. */
  readonly source: string | null
  /** The stable reference that you sent; null if you sent none. */
  readonly provenance: string | null
  /** Tags that you set to filter documents by. */
  readonly tags: readonly string[]
  /** Your own name-value pairs; at most 20. */
  readonly metadata: Readonly<Record<string, string>>
  /** New text creates a new version; 0 while there is no text. */
  readonly version: number
  readonly status: DocumentStatus
  /** Null unless `processing`. */
  readonly stage: Stage | null
  /** Attempts started on this version; each is counted before it starts. */
  readonly attempt: number
  /** Why the last attempt on this version failed; null if it did not fail. */
  readonly error: DocumentFailure | null
  /** Why it is held; null unless `held`. */
  readonly hold: DocumentHold | null
  /** How much of this version was read; null unless `processed` or `failed`. */
  readonly reading: ReadingReport | null
  /** Pages and slides of the file without text, such as scans, and unread attachments; the first 100. Empty if the text itself was sent. `reading.unread` has the unread parts of the text. */
  readonly unread: readonly UnreadFilePart[]
  /** How many such parts the file has. */
  readonly unread_total: number
  /** The dependency that a `queued` document waits for: `model` if the language model that reads it does not answer, else null. It continues automatically, and no attempt is counted. */
  readonly waiting_for: "model" | null
  /** Null unless it waits for the model. */
  readonly waiting_reason: WaitingReason | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  /** A page of its versions, newest first; by default the newest twenty. */
  readonly versions: readonly DocumentVersion[]
  /** Position of the next, older page; null if there is no older version. */
  readonly next_versions_cursor: string | null
}

export interface DocumentFailure {
  /** Why the last attempt failed, as a stable word. */
  readonly code: string
  /** The action that you can take. */
  readonly message: string
  readonly stage: Stage
}

export interface DocumentHold {
  readonly decision_id: DecisionId
  readonly point: PolicyPoint
  /** `forbidden`: a policy forbids it. `not_permitted`: none permits it. `undecidable`: a forbidding one could not be evaluated. */
  readonly reason: string
  /** Ids of the policies that decided, each with its origin. */
  readonly policies: readonly string[]
  readonly decided_at: Timestamp
}

/** Names a document within its scope. Not `.` or `..`, which no path can name. */
export type DocumentId = string

export interface DocumentLeaf {
  /** Says that the leaf is about a document. */
  readonly type: "document"
  readonly document_id: DocumentId
  /** The version of the document that was certified. */
  readonly version: number
  readonly status: DocumentStatus
  /** Null where it was not read. Leaves of a certificate of form 1 do not have it. */
  readonly reading?: DocumentLeafReading | null
}

export interface DocumentLeafReading {
  /** The name of the reader: `rules`, or `model` and which one. */
  readonly reader: string
  /** Its version. */
  readonly reader_version: string
  /** How much of the text was read. */
  readonly read: "whole" | "part" | "none"
  /** Characters of the text. */
  readonly characters: number
  /** Characters that were read. */
  readonly characters_read: number
  /** Claims that were found. */
  readonly claims: number
}

/** `id`: by document id. `updated`: the oldest change first, to miss no change while you page. `updated_desc`: the newest first. */
export type DocumentOrder = "id" | "updated" | "updated_desc"

export interface DocumentRemovals {
  readonly scope_id: ScopeId
  /** Documents that this request removed. */
  readonly removed: number
  /** Documents that are unchanged. */
  readonly refused: number
  /** One for each document, in the order they were named. */
  readonly results: readonly ({
    /** The document is removed. */
    readonly removed: true
    readonly document_id: DocumentId
    /** How many versions it had. */
    readonly versions: number
    readonly seq: Seq
  } | {
    /** The document is unchanged. */
    readonly removed: false
    readonly document_id: DocumentId
    /** The reason why it was refused for this document. */
    readonly problem: Problem
  })[]
}

export interface DocumentRemovalsBody {
  /** Each document is handled by itself; one that is named twice is handled once. */
  readonly document_ids: readonly DocumentId[]
}

export interface DocumentRetries {
  readonly scope_id: ScopeId
  /** Documents that this request queued. */
  readonly queued: number
  /** Documents that are unchanged. */
  readonly refused: number
  /** One for each document, in the order they were named; by id with `status`. */
  readonly results: readonly ({
    /** The document is queued again. */
    readonly queued: true
    readonly document_id: DocumentId
    /** New text creates a new version; 0 while there is no text. */
    readonly version: number
    readonly seq: Seq
  } | {
    /** The document is unchanged. */
    readonly queued: false
    readonly document_id: DocumentId
    /** The reason why it was refused for this document. */
    readonly problem: Problem
  })[]
  /** With `status`: send it as `after` to continue; null if there are no more documents. */
  readonly next_after: DocumentId | null
}

export interface DocumentRetriesBody {
  /** Each document is handled by itself; one that is named twice is handled once. */
  readonly document_ids?: readonly DocumentId[]
  /** Instead of `document_ids`: the first 100 documents in this status, by their ids. */
  readonly status?: "failed" | "held"
  /** With `status`: only documents after this id; use `next_after` of the previous response. */
  readonly after?: DocumentId
}

/** Terminal are `processed`, `held`, `failed`, `superseded` and `removed`. */
export type DocumentStatus = "registered" | "attached" | "queued" | "processing" | "processed" | "held" | "failed" | "superseded" | "removed"

export interface DocumentText {
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  /** The version that the text is of. */
  readonly version: number
  /** Where the range begins, in code points. */
  readonly start: number
  /** Where it ends; less than was asked for at the end of the text. */
  readonly end: number
  /** Length of the whole text, in code points. */
  readonly characters: number
  /** The text as it was sent. Offsets of quotes are offsets in it. */
  readonly text: string
}

export interface DocumentVersion {
  /** New text creates a new version; 0 while there is no text. */
  readonly version: number
  readonly status: DocumentStatus
  /** Length of the text, in code points. */
  readonly characters: number
  /** Null unless it was read. */
  readonly reading: ReadingReport | null
  readonly received_at: Timestamp
  /** When it was last queued; null if it never was. */
  readonly queued_at: Timestamp | null
  /** When the first attempt on it started; null before that. */
  readonly started_at: Timestamp | null
  /** When it reached a terminal status; null before that. */
  readonly ended_at: Timestamp | null
}

/** Documents by status; `queued` is the number that wait. */
export interface DocumentsByStatus {
  /** Documents without text. */
  readonly registered: number
  /** Documents with text that are not queued yet. */
  readonly attached: number
  /** Documents that wait to be processed. */
  readonly queued: number
  /** Documents that are being processed. */
  readonly processing: number
  /** Documents whose newest version was read and compared. */
  readonly processed: number
  /** Documents that are held by policy until a person releases them. */
  readonly held: number
  /** Documents whose last attempt failed. */
  readonly failed: number
  /** Documents whose version was replaced by a newer one. */
  readonly superseded: number
  /** Documents that were removed; only id and status are left. */
  readonly removed: number
}

export interface EvidenceLeaf {
  /** SHA-256 of a zero byte and the leaf in canonical form. */
  readonly hash: Sha256
  /** The evidence itself: a document, claim, contradiction or decision, without its content. */
  readonly leaf: DocumentLeaf | ClaimLeaf | ContradictionLeaf | DecisionLeaf
}

export interface FileLocation {
  /** Page of a PDF file, from 1; null for other files. */
  readonly page: number | null
  /** Slide of a presentation, from 1; null for other files. */
  readonly slide: number | null
  /** Name of the sheet in a workbook; null for other files. */
  readonly sheet: string | null
  /** The cell of the value, in a workbook or a CSV file; null for other files. */
  readonly cell: string | null
  /** The nearest heading above it, in a Word document, HTML or Markdown; null if there is none, and for other files. */
  readonly heading: string | null
  /** Line of plain text or Markdown, or of the text that was read from an e-mail, from 1; null for other files. */
  readonly line: number | null
}

/** The type of the file. If omitted, Content-Type decides, and for `application/octet-stream` the extension of `name`. */
export type FileType = "pdf" | "docx" | "xlsx" | "pptx" | "html" | "md" | "csv" | "eml" | "txt"

export interface Hatchery {
  /** Id of the hatchery: the process that starts and stops workers on its host. */
  readonly hatchery_id: string
  /** Name of the machine that it runs on. */
  readonly host: string
  /** Process id on that machine. */
  readonly pid: number
  /** Whether its last heartbeat is recent enough for it to count as running. */
  readonly alive: boolean
  readonly since: Timestamp
  /** Whether this hatchery scales for all hosts. */
  readonly decides: boolean
  /** The workers of this host, one entry for each role. */
  readonly roles: readonly ({
    /** What the workers do; those that read and compare documents have the role `worker`. */
    readonly role: string
    /** Desired number of workers on its host. */
    readonly wanted: number
    /** Its workers that are running. */
    readonly running: number
    /** Its workers that are starting. */
    readonly starting: number
    /** Minimum number of workers on its host. */
    readonly min: number
    /** Maximum number of workers on its host. */
    readonly max: number
  })[]
  /** Milliseconds since its last heartbeat arrived. */
  readonly heartbeat_age_ms: number
}

export interface HatcheryRole {
  /** What the workers do; those that read and compare documents have the role `worker`. */
  readonly role: string
  /** The desired number of workers. Null if no hatchery manages the role; then `min` and `max` are null too. */
  readonly wanted: number | null
  /** Workers that are alive and not stopping. */
  readonly running: number
  /** Workers that were started and have not sent a heartbeat yet. */
  readonly starting: number
  /** Running workers that have at least one document in progress. */
  readonly busy: number
  /** Minimum number of workers, over all hosts; null if no hatchery manages the role. */
  readonly min: number | null
  /** Maximum number of workers, over all hosts; null if no hatchery manages the role. */
  readonly max: number | null
  /** Documents that may run and wait, counted up to 10,000. Null for a role without a queue. */
  readonly waiting: number | null
  /** Age of the oldest of these, in milliseconds; null if none waits or it is unknown. */
  readonly oldest_wait_ms: number | null
  /** Documents that arrive per second, over the last few seconds; null for a role without a queue. */
  readonly arrival_rate: number | null
  /** Documents per second that one worker completes at full capacity. Null until one was completed. */
  readonly service_rate: number | null
  /** Used capacity divided by total capacity of its workers, from 0 to 1; null if it is unknown. */
  readonly utilisation: number | null
  /** The last few, newest first. */
  readonly decisions: readonly ScalingDecision[]
}

export interface HatcherySnapshot {
  readonly taken_at: Timestamp
  /** The desired, running and waiting counts of each role, over all hosts. */
  readonly roles: readonly HatcheryRole[]
  /** All workers that recently sent a heartbeat, on all hosts. */
  readonly workers: readonly HatcheryWorker[]
  /** All hatcheries that recently sent a heartbeat. */
  readonly hatcheries: readonly Hatchery[]
}

export interface HatcheryWorker {
  /** Id of the worker process. */
  readonly worker_id: string
  /** What the worker does; a worker that reads and compares documents has the role `worker`. */
  readonly role: string
  /** Name of the machine that it runs on. */
  readonly host: string
  /** Process id on that machine. */
  readonly pid: number
  /** The hatchery that started it; null if none did. */
  readonly hatchery_id: string | null
  /** `idle`: no documents in flight. `busy`: some in flight. `retiring`: it completes its documents and exits. `lost`: its heartbeats stopped. */
  readonly state: "idle" | "busy" | "retiring" | "lost"
  /** When the process started. */
  readonly since: Timestamp
  /** The oldest attempt in flight; null if there is none. */
  readonly current_attempt: Attempt | null
  /** Documents in flight. */
  readonly in_flight: number
  /** Attempts that it completed since it started. */
  readonly processed: number
  /** Attempts that failed in it since it started. */
  readonly failed: number
  /** Memory that the process uses, in bytes. */
  readonly memory_bytes: number
  /** Milliseconds since its last heartbeat arrived. */
  readonly heartbeat_age_ms: number
}

export interface HealthResponse {
  /** `ok` while the service serves. */
  readonly status: string
  readonly [name: string]: unknown
}

/** Which side is right; `both` if they turned out to be compatible. */
export type Holds = "a" | "b" | "both" | "neither"

export interface IngestBatchRequest {
  /** Each document is accepted or refused by itself, also if it breaks its schema. */
  readonly documents: readonly IngestDocumentRequest[]
}

export interface IngestBatchResponse {
  /** How many documents were stored and queued. */
  readonly accepted: number
  /** How many documents were not stored. */
  readonly refused: number
  /** One for each document, in the order they were sent. */
  readonly results: readonly ({
    /** The document is stored and queued. */
    readonly accepted: true
    /** The same response as for the document alone. */
    readonly document: IngestDocumentResponse
  } | {
    /** The document was not stored. */
    readonly accepted: false
    /** Why the document was refused. */
    readonly problem: Problem
  })[]
}

export interface IngestDocumentRequest {
  readonly scope_id: ScopeId
  /** Display name of the document. */
  readonly name: string
  /** The type of the text; the default is `txt`. Default: `"txt"`. */
  readonly type?: string
  /** The whole text. A character is a Unicode code point. */
  readonly text: string
  /** Generated if omitted. */
  readonly document_id?: DocumentId
  /** Where the document comes from. Stored as text, never fetched. */
  readonly source?: string
  /** Your own key, a new one for each new request. It is kept for 30 days, or shorter if the operator configures that. */
  readonly idempotency_key?: string
}

export interface IngestDocumentResponse {
  readonly scope_id: ScopeId
  /** Display name of the document. */
  readonly name: string
  /** The type of the text; the default is `txt`. */
  readonly type: string
  /** Id of the stored document, yours or a generated one; the service never answers null. */
  readonly document_id: string | null
  /** The idempotency key that you sent; null if you sent none. */
  readonly idempotency_key: string | null
  /** Always true: the document is stored and waits to be processed. */
  readonly queued: true
  /** Position of `document.queued` in the log of the scope; open its stream after this position to miss no event. The service never answers null. */
  readonly seq: number | null
  /** The version of the ingestion interface. */
  readonly integration_version: "v1"
  /** What happened, for people to read; the wording may change. */
  readonly message: string
}

export interface IngestFileResponse {
  readonly scope_id: ScopeId
  /** Display name of the document. */
  readonly name: string
  /** The type of the text; the default is `txt`. */
  readonly type: string
  /** Id of the stored document, yours or a generated one; the service never answers null. */
  readonly document_id: string | null
  /** The idempotency key that you sent; null if you sent none. */
  readonly idempotency_key: string | null
  /** Always true: the document is stored and waits to be processed. */
  readonly queued: true
  /** Position of `document.queued` in the log of the scope; open its stream after this position to miss no event. The service never answers null. */
  readonly seq: number | null
  /** The version of the ingestion interface. */
  readonly integration_version: "v1"
  /** What happened, for people to read; the wording may change. */
  readonly message: string
  /** Length of the text that was extracted from the file. */
  readonly characters: number
  /** The parts of the file that have no readable text. */
  readonly unread: readonly UnreadFilePart[]
}

export interface IssueKeyBody {
  /** Where the key is used. */
  readonly name?: string
  /** In the future; the key never expires without it. With `Z` or an offset such as `+01:00`. */
  readonly expires_at?: string
}

export interface IssuedCertificate {
  /** The certificate as it was signed. */
  readonly certificate: Certificate
  /** Of the certificate in canonical form: what the next one refers to. */
  readonly hash: Sha256
  /** The evidence is still what was certified. */
  readonly current: boolean
  /** Position in the log at which new evidence arrived; null if none did. */
  readonly reopened_at: Seq | null
}

export interface IssuedKey {
  readonly key_id: KeyId
  /** The whole key. It is shown only once. */
  readonly api_key: string
  /** The part of the key before its secret; safe to log. */
  readonly key_prefix: string
  /** When the key expires; null if it never does. */
  readonly expires_at: Timestamp | null
  /** What happened, for people to read; the wording may change. */
  readonly message: string
}

export interface KernelHealth {
  readonly status: KernelStatus
  /** Whether work makes progress. False if work that may run waits and none is completed; also while the whole service is paused or stopped. */
  readonly moving: boolean
  /** The switch of the whole service; null while this process has not read it yet. */
  readonly runtime: ServiceSwitch | null
  /** Age of the oldest queued document that may run, in milliseconds; null if none waits or the database did not answer. */
  readonly oldest_queued_age_ms: number | null
  /** Milliseconds since a worker last completed an attempt; null until one was seen. */
  readonly last_completion_age_ms: number | null
  /** Milliseconds since the renewal of the oldest dispatch lease; null while a part of the queue has no dispatcher or the database did not answer. */
  readonly dispatcher_lag_ms: number | null
  /** The end of the audit log; null if the database did not answer. */
  readonly audit: AuditHead | null
  /** One result for each probe. */
  readonly probes: readonly Probe[]
  /** All processes that recently sent a heartbeat, including those that have stopped since. */
  readonly workers: readonly WorkerLiveness[]
  /** The state of the optional judge, reported by the workers; `off` if it is not configured. It never changes the status. */
  readonly judge: "off" | "on" | "failing"
}

/** `paused` and `stopped`: every part works, and the switch of the whole service pauses all work. `degraded`: serving, but an optional dependency is unavailable. `unavailable`: a required dependency is unavailable, or work that may run makes no progress. */
export type KernelStatus = "ok" | "paused" | "stopped" | "degraded" | "unavailable"

export interface Key {
  readonly key_id: KeyId
  /** The part of the key before its secret; safe to log. */
  readonly key_prefix: string
  /** Where the key is used; null if it has no name. */
  readonly name: string | null
  readonly status: KeyStatus
  readonly created_at: Timestamp
  /** The key prefix, or the operator, that issued it. */
  readonly created_by: string
  /** When the key expires; null if it never does. */
  readonly expires_at: Timestamp | null
  /** When the key was revoked; null if it was not. */
  readonly revoked_at: Timestamp | null
  /** When a request last used the key, accurate to about a minute; null if none has. */
  readonly last_used_at: Timestamp | null
}

/** Names a key; it is the part of the key before the secret. */
export type KeyId = string

/** `live`: the key is accepted. `expired`: its `expires_at` has passed. `revoked`: it was revoked and stays so. */
export type KeyStatus = "live" | "expired" | "revoked"

/** Claims and findings that the limits of comparing left out; all 0 where everything was compared. */
export interface LeftOut {
  /** Groups of claims about one thing in which something was left out. */
  readonly groups: number
  /** Claims of them that were not compared in their group. */
  readonly claims: number
  /** Contradictions beyond the first 12 of a group, which are not kept. */
  readonly findings: number
}

/** How settled the scope is, in brief. */
export interface ListedConvergence {
  /** How settled the scope is, from 0 to 1. */
  readonly score: number
  readonly state: ConvergenceState
}

export interface ListedScope {
  readonly scope_id: ScopeId
  /** Display name of the scope; null if it has none. */
  readonly display_name: string | null
  /** Generation of the scope; a reset raises it. */
  readonly epoch: number
  readonly created_at: Timestamp
  readonly runtime: ScopeRuntime
  /** How many documents the scope has, in all and by status. */
  readonly documents: {
    /** All documents, including removed ones. */
    readonly total: number
    readonly by_status: DocumentsByStatus
  }
  readonly convergence: ListedConvergence
}

export interface Liveness {
  /** Always `ok`: the process answers. */
  readonly status: "ok"
}

export interface MetricsConvergence {
  /** Score of the scope, from 0 to 1, accurate to 0.01. */
  readonly score: number
  readonly state: ConvergenceState
}

export interface MetricsPoint {
  /** Start of the point. */
  readonly at: Timestamp
  /** Documents that were queued: sent, triggered or retried. */
  readonly accepted: number
  /** Documents that were processed in this period. */
  readonly processed: number
  /** Documents that failed in this period, after their last attempt. */
  readonly failed: number
  /** Waiting time of documents whose first attempt started in this period; null if there were none. */
  readonly queue_wait_ms: Percentiles | null
  /** Duration of the last attempt of documents that completed in this period; null if there were none. */
  readonly processing_ms: Percentiles | null
  /** Changes of contradictions in this period. */
  readonly contradictions: {
    /** Contradictions that were found or reported and opened. */
    readonly opened: number
    /** Contradictions that were resolved in this period. */
    readonly resolved: number
    /** Contradictions that were dismissed in this period. */
    readonly dismissed: number
    /** Contradictions that were reopened by a person, or by a document that arrived later. */
    readonly reopened: number
  }
  /** Score at the end of the point, or now; null before the score first changed, and beyond its last 10,000 changes. */
  readonly convergence: MetricsConvergence | null
}

/** Whether the statement is a fact, a plan, a target, a limit, a possibility, or reported speech. */
export type Modality = "actual" | "plan" | "target" | "limit" | "hypothetical" | "quoted"

/** In milliseconds, accurate to a tenth of the value or a millisecond. */
export interface Percentiles {
  /** Half of the documents took this many milliseconds or fewer. */
  readonly p50: number
  /** 90 of 100 documents took this many milliseconds or fewer. */
  readonly p90: number
  /** 99 of 100 documents took this many milliseconds or fewer. */
  readonly p99: number
}

export interface Policy {
  /** The scope; null for the policies of the tenant. */
  readonly scope_id: ScopeId | null
  /** Number of the version; 0 if none was written. */
  readonly version: number
  /** The text in force, in Cedar; empty if none was written or after it was deleted. */
  readonly text: string
  /** SHA-256 in hexadecimal of the whole set that is evaluated, as in decisions. */
  readonly policy_hash: string
  /** When this version was written; null while none was. */
  readonly created_at: Timestamp | null
  /** Prefix of the key that wrote this version; null while none was written. */
  readonly created_by: string | null
  /** The built-in policies, which always apply as well. */
  readonly default_text: string
  /** The newest fifty, newest first. */
  readonly versions: readonly PolicyVersion[]
}

/** The question that was decided. `admit_document`: whether the document may be read. `process_document`: whether this stage and model may be used on it. `settle_contradiction`: whether a contradiction is resolved automatically. `settle_scope`: whether the scope may be declared settled. */
export type PolicyPoint = "admit_document" | "settle_contradiction" | "process_document" | "settle_scope"

export interface PolicyVersion {
  /** Number of the version; the first is 1. */
  readonly version: number
  /** Whether this version deleted the policies. */
  readonly empty: boolean
  readonly created_at: Timestamp
  /** Prefix of the key. */
  readonly created_by: string
}

export interface Probe {
  readonly name: Dependency
  /** Whether the probe succeeded. */
  readonly ok: boolean
  /** Whether the service needs it to serve. */
  readonly required: boolean
  /** Duration of the probe; null if it got no answer. */
  readonly latency_ms: number | null
  /** Age of this result. */
  readonly age_ms: number
  /** The fault and where to look for its cause; null if the probe succeeded. */
  readonly detail: string | null
}

export interface Problem {
  /** Address of the explanation of the code: /problems/{code}. */
  readonly type: string
  /** What went wrong, in a few words that are the same for every problem with this code. */
  readonly title: string
  /** The HTTP status of the answer. */
  readonly status: number
  /** What to do next. */
  readonly detail: string
  /** Names this occurrence, by its request_id. */
  readonly instance: string
  /** A stable code of what went wrong; branch on it. */
  readonly code: "malformed_request" | "malformed_json" | "duplicate_header" | "credentials_conflict" | "credential_missing" | "credential_invalid" | "credential_expired" | "credential_revoked" | "gateway_signature_invalid" | "wrong_tier" | "tenant_mismatch" | "not_found" | "tenant_not_found" | "key_not_found" | "scope_not_found" | "document_not_found" | "contradiction_not_found" | "certificate_not_found" | "problem_not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "scope_exists" | "key_not_live" | "too_many_keys" | "illegal_transition" | "not_settled" | "refused_by_policy" | "text_not_found" | "certificate_outdated" | "payload_too_large" | "unsupported_media_type" | "file_unreadable" | "validation_failed" | "policy_invalid" | "idempotency_key_reused" | "headers_too_large" | "rate_limited" | "byte_rate_exceeded" | "too_many_requests_at_once" | "too_many_streams" | "queue_quota_exceeded" | "internal_error" | "no_root_key" | "queue_full" | "overloaded" | "unavailable"
  /** The same as X-Request-Id; include it when you report a fault. */
  readonly request_id: string
  /** Details, if `code` covers several faults. */
  readonly errors?: readonly ({
    /** JSON Pointer to the faulty value: `#/…` in the body, `path#/…`, `query#/…` and `header#/…` elsewhere. For blockers in the scope: `/documents/…`, `/contradictions/…`, `/policies/…`. */
    readonly pointer: string
    /** The rule that was broken. */
    readonly code: string
    /** What to send instead. */
    readonly message: string
  })[]
}

export interface PutPolicyBody {
  /** Cedar policies, each with an id: `@id("…")`. The documentation has the schema and the built-in policies. */
  readonly text: string
}

export interface Readiness {
  readonly status: Status
  /** The last result of each check. */
  readonly checks: readonly ({
    /** The name of the check. */
    readonly name: string
    /** Whether the check succeeded. */
    readonly ok: boolean
    /** Whether the service needs it to serve. */
    readonly required: boolean
    /** Milliseconds since the last check. */
    readonly age_ms: number
  })[]
}

export interface Reading {
  /** Which reader read it. */
  readonly reader: string
  /** The version of the reader. */
  readonly reader_version: string
  /** How much of the text was read. */
  readonly read: "whole" | "part" | "none"
  /** The detected format of the content, independent of `type`. Only `text` is read. */
  readonly format: "text" | "html" | "base64" | "binary"
  /** The language of most of the text as an ISO 639-1 code; `und` if there are too few words to detect it. */
  readonly language: string
  /** Confidence of the detected language. */
  readonly language_confidence: number
  /** Characters of the text. */
  readonly characters: number
  /** Characters that were read. */
  readonly characters_read: number
  /** Passages of the text: paragraphs, list items, table rows, fields. */
  readonly passages: number
  /** Passages that were read. */
  readonly passages_read: number
  /** The unread parts, one entry a reason; empty where everything was read. */
  readonly unread: readonly UnreadPart[]
  /** Claims that were found. */
  readonly claims: number
  /** Claims that were dropped because their quote is not in the text. */
  readonly quotes_dropped: number
}

export interface ReadingReport {
  /** Which reader read it. */
  readonly reader: string
  /** The version of the reader. */
  readonly reader_version: string
  /** How much of the text was read. */
  readonly read: "whole" | "part" | "none"
  /** The detected format of the content, independent of `type`. Only `text` is read. */
  readonly format: "text" | "html" | "base64" | "binary"
  /** The language of most of the text as an ISO 639-1 code; `und` if there are too few words to detect it. */
  readonly language: string
  /** Confidence of the detected language. */
  readonly language_confidence: number
  /** Characters of the text. */
  readonly characters: number
  /** Characters that were read. */
  readonly characters_read: number
  /** Passages of the text: paragraphs, list items, table rows, fields. */
  readonly passages: number
  /** Passages that were read. */
  readonly passages_read: number
  /** The unread parts, one entry a reason; empty where everything was read. */
  readonly unread: readonly UnreadPart[]
  /** Claims that were found. */
  readonly claims: number
  /** Claims that were dropped because their quote is not in the text. */
  readonly quotes_dropped: number
  /** Claims that were compared with at least one claim of another document; null of a version that is not in force. */
  readonly claims_compared: number | null
}

export interface ReadingTotals {
  /** Characters of all accepted documents. */
  readonly characters: number
  /** Characters of them that were read. */
  readonly characters_read: number
  /** Processed documents that were not read, not read to the end, or in which no claim was found. Each is a blocker. */
  readonly documents_with_gaps: number
  /** Claims of the current versions. */
  readonly claims: number
  /** Claims that were compared with at least one claim of another document. */
  readonly claims_compared: number
  readonly left_out: LeftOut
}

/** `conflict`: both cannot hold; `restatement`: one side says that it takes the place of the other; `change`: both held, one after the other. */
export type Relation = "conflict" | "restatement" | "change"

export interface ReleaseBody {
  /** The person who releases it. */
  readonly by: string
  /** Why. */
  readonly reason: string
}

export interface ReleasedDocument {
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  /** New text creates a new version; 0 while there is no text. */
  readonly version: number
  /** Always true: the document waits to be processed. */
  readonly queued: true
  readonly seq: Seq
  readonly decision_id: DecisionId
}

/** How much was removed, by kind. */
export interface RemovedContent {
  /** Documents, with all their versions. */
  readonly documents: number
  /** Claims of all documents. */
  readonly claims: number
  /** Contradictions, found and reported. */
  readonly contradictions: number
  /** Idempotency keys that were stored; each may be used again. */
  readonly idempotency_records: number
  /** Entries of the log. */
  readonly log_entries: number
}

export interface RemovedDocument {
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  /** The number of removed versions. */
  readonly removed: {
    /** How many versions it had. */
    readonly versions: number
  }
  readonly seq: Seq
}

export interface Report {
  /** When the report was written. */
  readonly generated_at: Timestamp
  readonly summary: ScopeSummary
  /** How settled the scope is, and what keeps it from being settled. */
  readonly convergence: Convergence
  /** Open contradictions first, by severity; within a severity by confidence. */
  readonly contradictions: readonly Contradiction[]
  /** Decisions about contradictions, newest first. */
  readonly decisions: readonly Decision[]
  /** Documents that are not removed, by id. */
  readonly documents: readonly Document[]
  /** The contents that the report leaves out because of its limits. */
  readonly left_out: {
    /** Number of contradictions that are left out. */
    readonly contradictions: number
    /** Number of documents that are left out. */
    readonly documents: number
    /** Whether older decisions are left out. */
    readonly decisions: boolean
  }
}

export interface RequeuedDocument {
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  /** New text creates a new version; 0 while there is no text. */
  readonly version: number
  /** Always true: the document waits to be processed. */
  readonly queued: true
  readonly seq: Seq
}

export interface Reread {
  readonly scope_id: ScopeId
  /** `running`: documents are being queued and read. `ended`: all were read, or reached another terminal status. `none`: none was requested yet. */
  readonly state: "none" | "running" | "ended"
  /** The reader named in the request; null if none was named. */
  readonly read_by: string | null
  /** Number of documents named in the request; null if none were named. */
  readonly documents_named: number | null
  /** Documents that were queued so far. */
  readonly documents_queued: number
  /** The number of them that are completed, as of a moment ago. */
  readonly documents_read: number
  /** When it was last requested; null if it never was. */
  readonly requested_at: Timestamp | null
  /** When the last document was read; null while it runs, or if it was never requested. */
  readonly ended_at: Timestamp | null
}

export interface RereadBody {
  /** Only these documents, whichever reader read them. */
  readonly document_ids?: readonly DocumentId[]
  /** Only documents that this reader read. */
  readonly read_by?: string
}

export interface ResetScope {
  readonly scope_id: ScopeId
  /** The new generation; work of an older one has no effect. */
  readonly epoch: number
  readonly removed: RemovedContent
  /** Position of `scope.reset` in the log, which continues from there. */
  readonly seq: Seq
}

export interface Resolution {
  /** `resolved`: the decision says which side is right. `dismissed`: the decision says that it is not a contradiction. `reopened`: the decision withdraws an earlier one. */
  readonly outcome: "resolved" | "dismissed" | "reopened"
  /** Which side is right; null unless the outcome is `resolved`. */
  readonly holds: Holds | null
  readonly decided_by: DecidedBy
  /** Prefix of the key that was used, or another actor. Null if no request caused it. */
  readonly actor: string | null
  /** The person who decided, as named in the request; null if none was named. */
  readonly by: string | null
  /** The reason, as given in the request; null if none was given. */
  readonly reason: string | null
  readonly decision_id: DecisionId
  readonly decided_at: Timestamp
}

export type ResolutionBody = {
  /** Close it and say which side is right. */
  readonly outcome: "resolved"
  readonly holds: Holds
  /** The person who decided. Without it, the decision is attributed to the key. */
  readonly by?: string
  /** Why. */
  readonly reason: string
} | {
  /** Close it because it is not a contradiction. */
  readonly outcome: "dismissed"
  /** The person who decided. Without it, the decision is attributed to the key. */
  readonly by?: string
  /** Why. */
  readonly reason: string
} | {
  /** Open it again because the earlier decision no longer applies. */
  readonly outcome: "reopened"
  /** The person who decided. Without it, the decision is attributed to the key. */
  readonly by?: string
  /** Why. */
  readonly reason: string
}

export interface RotateKeyBody {
  /** How long the old key continues to work beside the new one. Default: `86400`. */
  readonly overlap_seconds?: number
  /** Expiry of the new key. Left out, a key that expires is replaced by one with the same lifetime, counted from now. With `Z` or an offset such as `+01:00`. */
  readonly expires_at?: string
}

export interface RotatedKey {
  readonly key_id: KeyId
  /** The whole key. It is shown only once. */
  readonly api_key: string
  /** The part of the key before its secret; safe to log. */
  readonly key_prefix: string
  /** When the key expires; null if it never does. */
  readonly expires_at: Timestamp | null
  /** What happened, for people to read; the wording may change. */
  readonly message: string
  readonly replaces: KeyId
  readonly replaced_expires_at: Timestamp
}

export interface Runtime {
  readonly level: RuntimeLevel
  /** The tenant of the switch; null for the switch of the whole service. */
  readonly tenant_id: TenantId | null
  /** The scope of the switch; null for the switch of a tenant or of the whole service. */
  readonly scope_id: ScopeId | null
  /** State of this switch. */
  readonly state: RuntimeState
  /** State of the strictest switch that applies here. */
  readonly effective_state: RuntimeState
  /** Raised by every restart. */
  readonly generation: number
  /** False if the switch was already in this state. */
  readonly changed: boolean
  /** Attempts in flight. */
  readonly in_flight: number
  /** When the switch was last changed; null if it never was. */
  readonly changed_at: Timestamp | null
  /** Prefix of the key that last changed the switch; null if it was never changed. */
  readonly changed_by: string | null
}

export interface RuntimeBody {
  /** Only this scope. If omitted, everything that the credentials cover. */
  readonly scope_id?: ScopeId
}

/** What the switch covers: the whole service, one tenant or one scope. */
export type RuntimeLevel = "service" | "tenant" | "scope"

/** `running`: documents are processed. `paused`: no attempt starts, and work in flight finishes. `stopped`: no attempt starts, and results of work in flight are refused. */
export type RuntimeState = "running" | "paused" | "stopped"

export interface ScalingDecision {
  /** When the number of workers was changed. */
  readonly at: Timestamp
  /** Desired number of workers before. */
  readonly from: number
  /** Desired number of workers afterwards. */
  readonly to: number
  /** Why the number was changed, as a stable word. */
  readonly reason: string
}

export interface Scope {
  readonly scope_id: ScopeId
  /** Display name of the scope; null if it has none. */
  readonly display_name: string | null
  /** Generation of the scope; a reset raises it. */
  readonly epoch: number
  readonly created_at: Timestamp
}

export interface ScopeConvergence {
  readonly tenant_id: TenantId
  readonly scope_id: ScopeId
  /** How settled the scope is, from 0 to 1. */
  readonly score: number
  readonly state: ConvergenceState
  readonly parts: ConvergenceParts
  /** Claims of the current versions. */
  readonly claims: number
  /** Claims that were compared with at least one claim of another document. */
  readonly claims_compared: number
  /** Comparisons that wait or run: by a language model, each of up to 100 statements, or of up to 100 groups of claims after a document was removed. While there are any, the scope is `working`. */
  readonly comparisons_pending: number
  /** Comparisons by a language model that are held, by reason. */
  readonly comparisons_held: {
    /** Comparisons that are held because no policy permits sending their document to the model. Permit it, or remove the document. */
    readonly not_permitted: number
    /** Comparisons that are held because the token budget of the tenant is used up, until the next period begins or the budget is raised. */
    readonly over_budget: number
  }
  readonly trend: ConvergenceTrend
  /** Number of all blockers, including those that are not listed. */
  readonly blockers_total: number
}

/** Names a scope within its tenant: lowercase letters and digits, hyphens after the first character. */
export type ScopeId = string

export interface ScopeMetrics {
  readonly scope_id: ScopeId
  /** Start of the first point, at a multiple of the step. */
  readonly from: Timestamp
  /** End of the last point; it may be in the future. */
  readonly to: Timestamp
  /** Width of each point. */
  readonly step: "1m" | "5m" | "15m" | "1h" | "1d"
  /** One point for each step, oldest first. */
  readonly points: readonly MetricsPoint[]
}

/** The runtime switches that apply to the scope. */
export interface ScopeRuntime {
  /** State of the switch of this scope. */
  readonly own: RuntimeState
  /** State of the strictest switch that applies to it. */
  readonly effective: RuntimeState
  /** Raised by every restart of this scope. */
  readonly generation: number
}

/** The summary of the scope. */
export interface ScopeSummary {
  readonly scope_id: ScopeId
  /** Display name of the scope; null if it has none. */
  readonly display_name: string | null
  /** Generation of the scope; a reset raises it. */
  readonly epoch: number
  readonly created_at: Timestamp
  readonly runtime: ScopeRuntime
  /** How many documents the scope has, in all and by status. */
  readonly documents: {
    /** All documents, including removed ones. */
    readonly total: number
    readonly by_status: DocumentsByStatus
    /** The time since which the oldest queued document waits; null if none waits. */
    readonly oldest_queued_at: Timestamp | null
  }
  /** Number of claims that were found. */
  readonly claims: {
    /** Claims of the current versions. */
    readonly total: number
  }
  /** How much of all documents was read and compared. */
  readonly reading: ReadingTotals
  readonly contradictions: ContradictionsAtAGlance
  readonly convergence: ConvergenceAtAGlance
  /** The last position of the log; null while it is empty. */
  readonly log_head: Seq | null
  /** When the last entry of the log was written; null while the log is empty. */
  readonly last_activity_at: Timestamp | null
}

/** A position in the scope's log, which has no gaps. */
export type Seq = number

/** The switch of the whole service, as this process knows it. */
export interface ServiceSwitch {
  /** State of the switch of the whole service. */
  readonly service: RuntimeState
  /** Milliseconds since this process last read the switches. */
  readonly switches_age_ms: number
}

/** How serious it is if it is a contradiction. While one of severity `high` or `critical` is open, the scope is `contested`. */
export type Severity = "low" | "medium" | "high" | "critical"

/** SHA-256, in hexadecimal digits. */
export type Sha256 = string

/** The step of a document in `processing`, in this order. */
export type Stage = "read" | "compare" | "govern" | "settle"

/** `degraded`: serving, but an optional dependency is unavailable. `unavailable`: not serving. */
export type Status = "ok" | "degraded" | "unavailable"

export interface Tenant {
  readonly tenant_id: TenantId
  /** Display name of the tenant. */
  readonly name: string
  readonly created_at: Timestamp
}

/** Names a tenant. */
export type TenantId = string

export interface TierHealthResponse {
  /** `ok` while the service serves. */
  readonly status: string
  /** The tier of the path: `admin` or `internals`. */
  readonly tier: string
  /** The tier of the key that was sent; null if it is unknown. */
  readonly authTier?: string | null
  readonly [name: string]: unknown
}

/** An instant in UTC. */
export type Timestamp = string

export interface TriggerIngestBody {
  /** Only these documents. If omitted, every attached document of the scope. */
  readonly document_ids?: readonly DocumentId[]
}

export interface TriggerIngestResponse {
  readonly scope_id: ScopeId
  /** Documents that were attached and are queued by this request. */
  readonly queued: number
  /** Documents that were queued before, in whatever status now; they stay unchanged. */
  readonly already_queued: number
  /** Documents that are only registered: there is no text to queue yet. */
  readonly without_text: number
  /** Null when nothing was queued. */
  readonly first_seq: Seq | null
  /** Position of the last `document.queued` in the log; null when nothing was queued. */
  readonly last_seq: Seq | null
}

/** A part of a file that was not read. */
export interface UnreadFilePart {
  /** A page or slide without text, such as a scan, or an attachment of an e-mail. */
  readonly part: "page" | "slide" | "attachment"
  /** Which one; the first is 1. */
  readonly number: number
}

export interface UnreadPart {
  readonly reason: UnreadReason
  /** Characters that were not read for this reason. */
  readonly characters: number
  /** Passages that were not read for this reason. */
  readonly passages: number
}

/** Why something was not read. `limit`: the reader stops after 400 claims. `time`, `memory`: reading exceeded a limit. `language`: the reader cannot read the language. `not_text`: there is no text to read. `failed`: the reader failed on it. */
export type UnreadReason = "limit" | "time" | "memory" | "language" | "not_text" | "failed"

export interface UpdateDocumentBody {
  /** Replaces the existing tags. */
  readonly tags?: readonly string[]
  /** Each text is set under its name, null removes it, other names stay; at most 20 in all. The names `constructor` and `prototype` are refused (400, `malformed_json`), as in every body. */
  readonly metadata?: Readonly<Record<string, string | null>>
}

/** Why the model does not answer. `over_budget`: the token budget of the tenant is used up. The others are about the endpoint. */
export type WaitingReason = "timeout" | "unreachable" | "busy" | "forbidden" | "server_error" | "over_budget"

export interface WorkerLiveness {
  /** Id of the worker process. */
  readonly worker_id: string
  /** What the process does; a process that reads and compares documents has the role `worker`. */
  readonly role: string
  /** Whether its last heartbeat is recent enough for it to count as running. */
  readonly alive: boolean
  /** Milliseconds since its last heartbeat arrived. */
  readonly heartbeat_age_ms: number
}

export interface ClaimsExtractedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "claims.extracted"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    /** The version of the document; 0 while there is no text. */
    readonly version: number
    /** Claims that were found in this version. */
    readonly claims: number
  }
}

export interface ComparisonCutEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "comparison.cut"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    /** Groups of claims in the scope that are not compared completely. */
    readonly groups: number
    /** Claims in these groups that are not compared, each counted once per group. */
    readonly claims: number
    /** Contradictions in these groups that are not stored. */
    readonly findings: number
  }
}

export interface ComparisonHeldEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "comparison.held"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    /** `not_permitted`: no policy permits sending a document of the comparison to the language model. `over_budget`: the token budget of the tenant is used up. */
    readonly reason: "not_permitted" | "over_budget"
  }
}

export interface ComparisonReleasedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "comparison.released"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    /** `not_permitted`: no policy permits sending a document of the comparison to the language model. `over_budget`: the token budget of the tenant is used up. */
    readonly reason: "not_permitted" | "over_budget"
  }
}

export interface ContradictionChangedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "contradiction.changed"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly contradiction_id: ContradictionId
    readonly relation: Relation
    readonly kind: ContradictionKind
    readonly severity: Severity
    /** Ids of the documents of both sides, if they are known. */
    readonly document_ids: readonly DocumentId[]
  }
}

export interface ContradictionDismissedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "contradiction.dismissed"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly contradiction_id: ContradictionId
    readonly decision_id: DecisionId
    readonly decided_by: DecidedBy
  }
}

export interface ContradictionOpenedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "contradiction.opened"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly contradiction_id: ContradictionId
    readonly relation: Relation
    readonly kind: ContradictionKind
    readonly severity: Severity
    /** Ids of the documents of both sides, if they are known. */
    readonly document_ids: readonly DocumentId[]
    /** Whether both sides are in the same document. */
    readonly internal: boolean
    /** Omitted if it is open. A contradiction that is found again has its previous status. */
    readonly status?: ContradictionStatus
  }
}

export interface ContradictionReopenedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "contradiction.reopened"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly contradiction_id: ContradictionId
    readonly decision_id: DecisionId
    readonly decided_by: DecidedBy
  }
}

export interface ContradictionResolvedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "contradiction.resolved"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly contradiction_id: ContradictionId
    readonly decision_id: DecisionId
    readonly decided_by: DecidedBy
    readonly holds: Holds
  }
}

export interface ContradictionWithdrawnEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "contradiction.withdrawn"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly contradiction_id: ContradictionId
    readonly relation: Relation
    readonly kind: ContradictionKind
    readonly severity: Severity
    /** Ids of the documents of both sides, if they are known. */
    readonly document_ids: readonly DocumentId[]
    /** `replaced`: a document of it has a newer version or was read again. `removed`: a document of it was removed. `outranked`: both documents are unchanged, and the comparison of other claims gives another result for them; a new document alone never causes this. */
    readonly reason: "replaced" | "removed" | "outranked"
  }
}

export interface ConvergenceChangedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "convergence.changed"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    /** How settled the scope is, from 0 to 1. */
    readonly score: number
    readonly state: ConvergenceState
    /** Number of blockers that keep the scope from being settled. */
    readonly blockers: number
  }
}

export interface DecisionMadeEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "decision.made"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly decision_id: DecisionId
    readonly point: PolicyPoint
    readonly result: DecisionResult
    /** The policy, or `person`. */
    readonly decided_by: string
  }
}

export interface DependencyLostEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "dependency.lost"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly dependency: Dependency
  }
}

export interface DependencyRestoredEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "dependency.restored"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly dependency: Dependency
    /** How long it was unavailable. */
    readonly lost_for_ms: number
  }
}

export interface DocumentAttachedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "document.attached"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    /** The version of the document; 0 while there is no text. */
    readonly version: number
  }
}

export interface DocumentFailedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "document.failed"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    /** The version of the document; 0 while there is no text. */
    readonly version: number
    readonly stage: Stage
    /** Number of the attempt on this version; the first is 1. */
    readonly attempt: number
    /** Why, as a stable word. */
    readonly reason: string
  }
}

export interface DocumentHeldEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "document.held"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    /** The version of the document; 0 while there is no text. */
    readonly version: number
    readonly decision_id: DecisionId
    /** Why, as a stable word. */
    readonly reason: string
  }
}

export interface DocumentProcessedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "document.processed"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    /** The version of the document; 0 while there is no text. */
    readonly version: number
    /** Number of the attempt on this version; the first is 1. */
    readonly attempt: number
    /** Passages that were found in the text. */
    readonly passages: number
    /** Sentences that were found in the text. */
    readonly sentences: number
    /** How much of it was read, and the unread parts with their reasons. */
    readonly reading: Reading
  }
}

export interface DocumentProcessingEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "document.processing"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    /** The version of the document; 0 while there is no text. */
    readonly version: number
    readonly stage: Stage
    /** Number of the attempt on this version; the first is 1. */
    readonly attempt: number
  }
}

export interface DocumentQueuedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "document.queued"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    /** The version of the document; 0 while there is no text. */
    readonly version: number
  }
}

export interface DocumentRegisteredEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "document.registered"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    /** The version of the document; 0 while there is no text. */
    readonly version: number
  }
}

export interface DocumentRemovedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "document.removed"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    /** The version of the document; 0 while there is no text. */
    readonly version: number
  }
}

export interface DocumentSupersededEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "document.superseded"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    /** The version of the document; 0 while there is no text. */
    readonly version: number
    /** The newer version. */
    readonly superseded_by: number
  }
}

export interface RuntimeChangedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "runtime.changed"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    /** The tenant; null for the switch of the whole service. */
    readonly tenant_id: TenantId | null
    /** The scope; null for a switch above the scope. */
    readonly scope_id: ScopeId | null
    /** The epoch of the scope; null for a switch above a scope. */
    readonly epoch: number | null
    /** The position in the log of the scope; null for a switch above a scope. */
    readonly seq: Seq | null
    /** Which switch was changed. */
    readonly level: RuntimeLevel
    /** The new state of the switch. */
    readonly state: RuntimeState
    /** The state of the strictest switch that applies here. */
    readonly effective_state: RuntimeState
    /** Raised by every restart. */
    readonly generation: number
  }
}

export interface ScalingDecidedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "scaling.decided"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    /** What the workers do; those that read and compare documents have the role `worker`. */
    readonly role: string
    /** Desired number of workers before. */
    readonly from: number
    /** Desired number of workers from now on. */
    readonly to: number
    /** Why, as a stable word. */
    readonly reason: string
  }
}

export interface ScopeCreatedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "scope.created"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
  }
}

export interface ScopeDeclaredEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "scope.declared"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly certificate_id: CertificateId
    /** Number of the certificate in the chain of the scope; the first is 1. */
    readonly number: number
    /** The position at which the scope was settled. */
    readonly log_position: Seq
    readonly decision_id: DecisionId
  }
}

export interface ScopeReopenedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "scope.reopened"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly certificate_id: CertificateId
    /** Number of the certificate in the chain of the scope; the first is 1. */
    readonly number: number
    /** The position at which the scope was settled. */
    readonly log_position: Seq
    /** Position in the log at which new evidence arrived. */
    readonly reopened_at: Seq
  }
}

export interface ScopeResetEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "scope.reset"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly removed: RemovedContent
  }
}

export interface WorkerHatchedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "worker.hatched"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    /** Id of the worker process. */
    readonly worker_id: string
    /** What the workers do; those that read and compare documents have the role `worker`. */
    readonly role: string
    /** Name of the machine that it runs on. */
    readonly host: string
  }
}

export interface WorkerLostEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "worker.lost"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    /** Id of the worker process. */
    readonly worker_id: string
    /** What the workers do; those that read and compare documents have the role `worker`. */
    readonly role: string
    /** Name of the machine that it runs on. */
    readonly host: string
    /** Milliseconds since its last heartbeat arrived. */
    readonly heartbeat_age_ms: number
  }
}

export interface WorkerRetiredEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that the event belongs to. */
  readonly source: string
  /** The id of the object of the event. */
  readonly subject: string
  readonly time: Timestamp
  /** The kind of the event; it determines the fields of `data`. */
  readonly type: "worker.retired"
  /** Ids, counts and kinds of the event; never content. */
  readonly data: {
    /** Id of the worker process. */
    readonly worker_id: string
    /** What the workers do; those that read and compare documents have the role `worker`. */
    readonly role: string
    /** Name of the machine that it runs on. */
    readonly host: string
    /** Why, as a stable word. */
    readonly reason: string
  }
}

/** Everything that can go wrong, as a closed list. */
export type ProblemCode =
  | "malformed_request"
  | "malformed_json"
  | "duplicate_header"
  | "credentials_conflict"
  | "credential_missing"
  | "credential_invalid"
  | "credential_expired"
  | "credential_revoked"
  | "gateway_signature_invalid"
  | "wrong_tier"
  | "tenant_mismatch"
  | "not_found"
  | "tenant_not_found"
  | "key_not_found"
  | "scope_not_found"
  | "document_not_found"
  | "contradiction_not_found"
  | "certificate_not_found"
  | "problem_not_found"
  | "method_not_allowed"
  | "not_acceptable"
  | "request_timeout"
  | "scope_exists"
  | "key_not_live"
  | "too_many_keys"
  | "illegal_transition"
  | "not_settled"
  | "refused_by_policy"
  | "text_not_found"
  | "certificate_outdated"
  | "payload_too_large"
  | "unsupported_media_type"
  | "file_unreadable"
  | "validation_failed"
  | "policy_invalid"
  | "idempotency_key_reused"
  | "headers_too_large"
  | "rate_limited"
  | "byte_rate_exceeded"
  | "too_many_requests_at_once"
  | "too_many_streams"
  | "queue_quota_exceeded"
  | "internal_error"
  | "no_root_key"
  | "queue_full"
  | "overloaded"
  | "unavailable"

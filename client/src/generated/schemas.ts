// Written by `node tools/write-client.ts` from contract/openapi.json. Do not edit.

export interface AttachDocumentBody {
  /** What people call the document. */
  readonly name: string
  /** What the text is; the default is `txt`. Default: `"txt"`. */
  readonly type?: string
  /** The whole text. A character is a Unicode code point. */
  readonly text: string
  /** Generated when left out. */
  readonly document_id?: DocumentId
  /** Where the document comes from. Kept as text, never fetched. */
  readonly source?: string
  /** A stable reference: content hash, source URI or external id. Kept as text, never fetched. */
  readonly provenance?: string
}

export interface Attempt {
  readonly tenant_id: TenantId
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  /** 0 until it is claimed. */
  readonly attempt: number
  readonly started_at: Timestamp
}

export interface AuditHead {
  /** How many entries of the audit log have their place. */
  readonly seq: number
  /** MAC over all of them. Kept outside of the database with `seq`, it shows later that none was cut off. */
  readonly head: string
  /** Entries that wait for their place, counted up to 10,000. */
  readonly unchained: number
  readonly oldest_unchained_age_ms: number | null
}

export type Certificate = CertificateForm2 | CertificateForm1

export interface CertificateAbout {
  readonly certificate_id: CertificateId
  readonly tenant_id: TenantId
  readonly scope_id: ScopeId
  /** The generation of the scope. */
  readonly epoch: number
  /** Its place in the chain of the scope. */
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

export interface CertificateEvidence {
  /** Root of the Merkle tree (RFC 6962) over all leaves. */
  readonly root: Sha256
  readonly documents: number
  readonly claims: number
  readonly contradictions: number
  readonly decisions: number
}

/** It says nothing about what was read. */
export interface CertificateForm1 {
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
  readonly keys: readonly CertificateKey[]
}

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
  /** Where in the log new evidence came; null where only the policies changed. */
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
    readonly documents: number
  })[]
  /** Characters read over characters, in millionths and rounded down: 1 only if all were read. */
  readonly coverage: number
  /** Characters of all documents. */
  readonly characters: number
  readonly characters_read: number
  /** Documents that were not read completely, or in which no claim was found. */
  readonly documents_with_gaps: number
  readonly claims: number
  /** Claims that were compared with a claim of another document. */
  readonly claims_compared: number
  /** Groups of claims that were too large to be compared completely. */
  readonly comparisons_incomplete: number
}

export interface CertificateScores {
  /** The state of the scope. Other states than `settled` need a policy that permits them. */
  readonly state: "settled" | "converging" | "unassessed"
  readonly score: number
  readonly parts: ConvergenceParts
}

export interface CertificateScoresForm1 {
  readonly state: "settled"
  readonly score: number
  readonly parts: ConvergenceParts
}

export interface Claim {
  readonly claim_id: ClaimId
  readonly document_id: DocumentId
  readonly version: number
  readonly kind: ClaimKind
  /** What it is about; null where the text does not say. */
  readonly entity: string | null
  /** What of it. */
  readonly attribute: string
  /** What makes it another measure or another world. */
  readonly qualifiers: readonly string[]
  readonly value: ClaimValue
  readonly polarity: "affirmed" | "denied"
  readonly modality: Modality
  readonly period: string | null
  readonly asserted_at: string | null
  /** The words of the document, unchanged. */
  readonly quote: string
  /** Offset of the first character of the quote in the text. */
  readonly start: number
  /** Offset after its last character. */
  readonly end: number
  /** Where the value stands in the file. Null where the text was sent instead of a file, and where no heading is above it. */
  readonly location: FileLocation | null
  /** That the claim was read rightly. */
  readonly confidence: number
  readonly extracted_at: Timestamp
}

/** Names a claim. */
export type ClaimId = string

/** What is claimed. `level` is a place on an ordered scale, `existence` that there is such a thing or none, `identity` who or what it is. */
export type ClaimKind = "money" | "percent" | "count" | "measure" | "ratio" | "date" | "duration" | "version" | "level" | "status" | "existence" | "identity"

export interface ClaimLeaf {
  readonly type: "claim"
  readonly claim_id: ClaimId
  readonly document_id: DocumentId
  readonly version: number
  readonly kind: ClaimKind
  readonly start: number
  readonly end: number
  /** Of the quote in UTF-8: the text from `start` to `end`. */
  readonly quote_sha256: Sha256
  /** Of the whole claim as it is kept. */
  readonly content_sha256: Sha256
}

export interface ClaimValue {
  readonly kind: ClaimKind
  /** As the document writes it. */
  readonly text: string
  /** Of a number; null where that side is open. */
  readonly low: number | null
  /** Equal to `low` unless the document gives a range. */
  readonly high: number | null
  /** Currency, `%`, unit, or what is counted; durations are in seconds (`s`). */
  readonly unit: string | null
  /** The document says "about", "nearly" or the like. */
  readonly approximate: boolean
  /** Where the number is one that another must keep to. */
  readonly bound: "at_least" | "at_most" | "more_than" | "less_than" | null
  /** Of a date. */
  readonly first_day: string | null
  /** Equal to `first_day` unless the document names a month, a quarter or a year. */
  readonly last_day: string | null
  /** Of a status, a level or a name, in canonical words. */
  readonly word: string | null
  /** The words that a status or a level competes with. */
  readonly family: string | null
  /** Of an existence: there is one, or there is none. */
  readonly exists: boolean | null
}

export interface Contradiction {
  readonly contradiction_id: ContradictionId
  readonly scope_id: ScopeId
  readonly status: ContradictionStatus
  readonly relation: Relation
  readonly kind: ContradictionKind
  /** What it is about, in one line. Null unless a language model found it. */
  readonly title: string | null
  readonly entity: string | null
  readonly attribute: string | null
  readonly period: string | null
  readonly severity: Severity
  /** That a person would call it one. Null where it was reported. */
  readonly confidence: number | null
  /** Both sides are of one document. */
  readonly internal: boolean
  readonly a: ContradictionSide
  readonly b: ContradictionSide
  /** Null where the values are not measured, or in different units. */
  readonly difference: Difference | null
  readonly explanation: string
  /** In how many more places the documents say what either side says. */
  readonly further: number
  readonly note: string | null
  /** The rule, model or reporter that found it. */
  readonly decided_by: string
  readonly opened_at: Timestamp
  readonly updated_at: Timestamp
  /** What was decided of it last; null while nothing was. */
  readonly resolution: Resolution | null
}

/** Names a contradiction. */
export type ContradictionId = string

/** Of both claims; `reported` where a person or another system said so. */
export type ContradictionKind = "money" | "percent" | "count" | "measure" | "ratio" | "date" | "duration" | "version" | "level" | "status" | "existence" | "identity" | "reported"

export interface ContradictionLeaf {
  readonly type: "contradiction"
  readonly contradiction_id: ContradictionId
  readonly relation: Relation
  readonly kind: ContradictionKind
  readonly severity: Severity
  readonly status: ContradictionStatus
  readonly document_ids: readonly DocumentId[]
  /** Of what it says, as it is kept. */
  readonly content_sha256: Sha256
}

/** `newest`: the last opened first. `severity`: the most severe first; of these the one of the highest confidence, where a reported one counts as 1; of these the last opened. */
export type ContradictionOrder = "newest" | "severity"

export interface ContradictionSide {
  /** Name of the document, or what the reporter called it. */
  readonly source: string
  readonly document_id: DocumentId | null
  readonly version: number | null
  readonly claim_id: ClaimId | null
  /** The words of the document, unchanged. */
  readonly quote: string
  readonly start: number | null
  readonly end: number | null
  /** Where the value stands in the file. Null where the text was sent instead of a file, and where no heading is above it. */
  readonly location: FileLocation | null
  readonly value: ClaimValue | null
  readonly asserted_at: string | null
}

export type ContradictionStatus = "open" | "resolved" | "dismissed"

export interface ContradictionsAtAGlance {
  readonly total: number
  readonly by_status: {
    readonly open: number
    readonly resolved: number
    readonly dismissed: number
  }
  /** Of those that are open. */
  readonly by_severity: {
    readonly low: number
    readonly medium: number
    readonly high: number
    readonly critical: number
  }
  /** Of those that are open. */
  readonly by_relation: {
    readonly conflict: number
    readonly restatement: number
    readonly change: number
  }
  /** Of those that are open. */
  readonly by_kind: {
    readonly money: number
    readonly percent: number
    readonly count: number
    readonly measure: number
    readonly ratio: number
    readonly date: number
    readonly duration: number
    readonly version: number
    readonly level: number
    readonly status: number
    readonly existence: number
    readonly identity: number
    readonly reported: number
  }
  /** The newest that are open, with both quotes. */
  readonly newest: readonly Contradiction[]
}

export interface ControlPlaneHealth {
  readonly status: Status
  readonly probes: readonly Probe[]
  readonly migrations: {
    readonly applied: number
    readonly expected: number
  }
  readonly runtime: {
    readonly service: RuntimeState
    readonly switches_age_ms: number
  }
  readonly hatchery_heartbeat_age_ms: number | null
}

export interface Convergence {
  readonly scope_id: ScopeId
  readonly score: number
  readonly state: ConvergenceState
  readonly parts: ConvergenceParts
  /** Claims of the versions that are in force. */
  readonly claims: number
  /** Claims that were compared with at least one claim of another document. */
  readonly claims_compared: number
  /** Comparisons that wait or are under way: by a language model, each of up to 100 statements, or of up to 100 groups of claims that a removed document left. While there are any, the scope is `working`. */
  readonly comparisons_pending: number
  /** Comparisons by a language model that are held, by reason. */
  readonly comparisons_held: {
    /** Held because no policy permits that their document is sent to the model. Permit it, or remove the document. */
    readonly not_permitted: number
    /** Held because the token budget of the tenant is used up, until the next period begins or the budget is raised. */
    readonly over_budget: number
  }
  readonly trend: ConvergenceTrend
  /** What keeps the scope from being settled, worst first. */
  readonly blockers: readonly ConvergenceBlocker[]
  readonly blockers_total: number
  /** The position in the log at which this is true. */
  readonly seq: Seq
  /** The last 50, newest last. There is one where the state changed, or the score by a hundredth or more. */
  readonly points: readonly ConvergencePoint[]
}

export interface ConvergenceAtAGlance {
  readonly score: number
  readonly state: ConvergenceState
  readonly parts: ConvergenceParts
  /** Claims of the versions that are in force. */
  readonly claims: number
  /** Claims that were compared with at least one claim of another document. */
  readonly claims_compared: number
  /** Comparisons that wait or are under way: by a language model, each of up to 100 statements, or of up to 100 groups of claims that a removed document left. While there are any, the scope is `working`. */
  readonly comparisons_pending: number
  /** Comparisons by a language model that are held, by reason. */
  readonly comparisons_held: {
    /** Held because no policy permits that their document is sent to the model. Permit it, or remove the document. */
    readonly not_permitted: number
    /** Held because the token budget of the tenant is used up, until the next period begins or the budget is raised. */
    readonly over_budget: number
  }
  /** What keeps the scope from being settled, worst first. */
  readonly blockers: readonly ConvergenceBlocker[]
  readonly blockers_total: number
}

export interface ConvergenceBlocker {
  /** `document_unread`: nothing of it was read. `document_partly_read`: not all of it was. `document_language`: it holds text in a language that the reader cannot read. `document_without_claims`: it was read, and no claim was found in it. `comparison_incomplete`: not all claims of the scope were compared. `comparison_pending`: claims of the scope wait to be compared by a language model, see `comparisons_pending`. `comparison_not_permitted`: no policy permits that some of its documents are sent to the model that compares; they are compared when one does. `comparison_over_budget`: the token budget of the tenant is used up; what is left is compared in the next period, or when the budget is raised. The reading report of the document has the figures. */
  readonly kind: "contradiction_open" | "document_failed" | "document_held" | "document_unread" | "document_partly_read" | "document_language" | "document_without_claims" | "comparison_incomplete" | "comparison_pending" | "comparison_not_permitted" | "comparison_over_budget" | "document_unfinished"
  /** The contradiction or document to act on; of the kinds that begin with `comparison_` the scope. */
  readonly id: string
  /** The severity of a contradiction; null for every other kind. */
  readonly severity: Severity | null
}

export interface ConvergenceParts {
  /** Characters that were read, over those of all accepted documents. */
  readonly coverage: number
  /** Compared claims that no open contradiction is about, over all compared ones; 0 where none was compared. See `claims` and `claims_compared`. */
  readonly agreement: number
  /** Closed contradictions over all. One weighs twice as much as one of the severity below; those that tell of a change weigh nothing. */
  readonly resolution: number
  /** Documents that no open contradiction is about, over all accepted. */
  readonly stability: number
}

export interface ConvergencePoint {
  /** Where `convergence.changed` stands in the log. */
  readonly seq: Seq
  readonly at: Timestamp
  readonly score: number
  readonly parts: ConvergenceParts
  readonly state: ConvergenceState
  /** How often a document had come to its end by then. */
  readonly documents: number
}

/** `empty`: nothing was accepted. `working`: documents are being read or compared. `contested`: a contradiction of severity high or critical is open. `converging`: something else keeps it from being settled; `blockers` names it. `unassessed`: nothing blocks it, but less than a tenth of its claims was compared with another document. `settled`: everything was read, and nothing was found that is still open. */
export type ConvergenceState = "empty" | "working" | "contested" | "converging" | "unassessed" | "settled"

/** Of the last ten points and of now. */
export interface ConvergenceTrend {
  readonly shape: "rising" | "falling" | "plateau" | "oscillating"
  /** Change of the score for each document that came to its end. */
  readonly rate: number
  /** At this rate, until the scope is settled; null unless documents are being read and the score rises by them. */
  readonly documents_to_go: number | null
}

export interface CreateContradictionBody {
  readonly scope_id: ScopeId
  readonly claim_a: string
  readonly claim_b: string
  /** Id or name of the document. */
  readonly source_a: string
  /** Id or name of the document. */
  readonly source_b: string
  readonly severity: Severity
  /** For whoever resolves it. */
  readonly note?: string
}

export interface CreateDocumentBody {
  /** What people call the document. */
  readonly name: string
  /** What the text is; the default is `txt`. Default: `"txt"`. */
  readonly type?: string
  /** Without text the document is only registered. */
  readonly text?: string
  /** Generated when left out. */
  readonly document_id?: DocumentId
  /** Where the document comes from. Kept as text, never fetched. */
  readonly source?: string
  /** A stable reference: content hash, source URI or external id. Kept as text, never fetched. */
  readonly provenance?: string
  readonly scope_id: ScopeId
}

export interface CreateOwnScopeBody {
  readonly scope_id: ScopeId
  readonly display_name?: string
}

export interface CreateScopeBody {
  readonly scope_id: ScopeId
  readonly display_name?: string
  /** In Cedar, each policy with an id: `@id("…")`. See the schema and the ones that ship in the documentation. */
  readonly policy?: string
}

export interface CreateTenantRequest {
  /** What people call the tenant. */
  readonly name: string
}

export interface CreateTenantResponse {
  readonly tenant_id: TenantId
  /** The whole key. Shown here and never again. */
  readonly api_key: string
  /** All of the key before its secret; safe to log. */
  readonly key_prefix: string
  readonly message: string
  readonly [name: string]: unknown
}

/** `person`: somebody with a key; `policy`: a rule that an administrator wrote; `evidence`: a document that came later. */
export type DecidedBy = "policy" | "person" | "evidence"

export interface Decision {
  readonly decision_id: DecisionId
  readonly scope_id: ScopeId
  readonly point: PolicyPoint
  readonly result: DecisionResult
  readonly contradiction_id: ContradictionId | null
  /** The documents it is about; of one by evidence, those that are the evidence. */
  readonly document_ids: readonly DocumentId[]
  /** Of a resolution. The sides are as the contradiction shows them now. */
  readonly holds: Holds | null
  readonly decided_by: DecidedBy
  /** Prefix of the key that was used, or who else it was. Null where nobody asked for it. */
  readonly actor: string | null
  /** The person who was named. */
  readonly by: string | null
  /** Why, in the words of whoever decided. */
  readonly reason: string | null
  /** Which policies decided, where some did. */
  readonly policies: readonly string[]
  /** Of the policies as they were, in hexadecimal digits. */
  readonly policy_hash: string | null
  /** Where the log of the scope tells of it. */
  readonly seq: Seq
  readonly decided_at: Timestamp
}

/** Names a decision. */
export type DecisionId = string

export interface DecisionLeaf {
  readonly type: "decision"
  readonly decision_id: DecisionId
  readonly point: PolicyPoint
  readonly result: DecisionResult
  readonly decided_by: DecidedBy
  readonly contradiction_id: ContradictionId | null
  readonly document_ids: readonly DocumentId[]
  readonly holds: Holds | null
  readonly policy_hash: Sha256 | null
  readonly policies: readonly string[]
  readonly seq: Seq
}

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

export type Dependency = "database" | "broker" | "migrations" | "dispatcher" | "hatchery" | "model" | "audit"

export interface Difference {
  /** Between the nearest ends of both values. */
  readonly amount: number
  /** That of both values; `d`, days, between dates. */
  readonly unit: string
  /** Of the larger of the two; null between dates. */
  readonly share: number | null
}

export interface Document {
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  readonly name: string
  readonly type: string
  readonly source: string | null
  readonly provenance: string | null
  /** Words that its tenant sorts documents by. */
  readonly tags: readonly string[]
  /** Texts by name, kept for you; at most 20. */
  readonly metadata: Readonly<Record<string, string>>
  /** New text makes a new version; 0 while there is no text. */
  readonly version: number
  readonly status: DocumentStatus
  /** Null unless `processing`. */
  readonly stage: Stage | null
  /** Attempts begun on this version; counted before each starts. */
  readonly attempt: number
  readonly error: DocumentFailure | null
  /** What holds it; null unless `held`. */
  readonly hold: DocumentHold | null
  /** How much of this version was read, and what was not and why; null unless `processed` or `failed`. */
  readonly reading: ReadingReport | null
  /** What a `queued` document waits for: `model`, where the language model that reads it gives no answer. It goes on by itself; no attempt is counted. */
  readonly waiting_for: "model" | null
  /** Null unless it waits for the model. */
  readonly waiting_reason: WaitingReason | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface DocumentDetail {
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  readonly name: string
  readonly type: string
  readonly source: string | null
  readonly provenance: string | null
  /** Words that its tenant sorts documents by. */
  readonly tags: readonly string[]
  /** Texts by name, kept for you; at most 20. */
  readonly metadata: Readonly<Record<string, string>>
  /** New text makes a new version; 0 while there is no text. */
  readonly version: number
  readonly status: DocumentStatus
  /** Null unless `processing`. */
  readonly stage: Stage | null
  /** Attempts begun on this version; counted before each starts. */
  readonly attempt: number
  readonly error: DocumentFailure | null
  /** What holds it; null unless `held`. */
  readonly hold: DocumentHold | null
  /** How much of this version was read, and what was not and why; null unless `processed` or `failed`. */
  readonly reading: ReadingReport | null
  /** What a `queued` document waits for: `model`, where the language model that reads it gives no answer. It goes on by itself; no attempt is counted. */
  readonly waiting_for: "model" | null
  /** Null unless it waits for the model. */
  readonly waiting_reason: WaitingReason | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  /** A page of its versions, newest first: the newest twenty unless asked for otherwise. */
  readonly versions: readonly DocumentVersion[]
  /** Position of the next, older page; null where no older version is kept. */
  readonly next_versions_cursor: string | null
}

export interface DocumentFailure {
  /** Why the last attempt failed, as a stable word. */
  readonly code: string
  /** What can be done about it. */
  readonly message: string
  readonly stage: Stage
}

export interface DocumentHold {
  readonly decision_id: DecisionId
  readonly point: PolicyPoint
  /** `forbidden`: a policy forbids it; `not_permitted`: none permits it; `undecidable`: one that forbids could not be evaluated. */
  readonly reason: string
  /** Ids of the policies that decided, each with where it comes from. */
  readonly policies: readonly string[]
  readonly decided_at: Timestamp
}

/** Names a document within its scope. Not `.` or `..`, which no path can name. */
export type DocumentId = string

export interface DocumentLeaf {
  readonly type: "document"
  readonly document_id: DocumentId
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
  readonly read: "whole" | "part" | "none"
  readonly characters: number
  readonly characters_read: number
  readonly claims: number
}

/** `id`: by document id. `updated`: the oldest change first, so that a walk misses no document that changes meanwhile. `updated_desc`: the newest change first. */
export type DocumentOrder = "id" | "updated" | "updated_desc"

export interface DocumentRemovals {
  readonly scope_id: ScopeId
  /** Documents that this request removed. */
  readonly removed: number
  /** Documents that are as they were. */
  readonly refused: number
  /** One for each document, in the order they were named. */
  readonly results: readonly ({
    readonly removed: true
    readonly document_id: DocumentId
    /** How many versions it had. */
    readonly versions: number
    readonly seq: Seq
  } | {
    readonly removed: false
    readonly document_id: DocumentId
    readonly problem: Problem
  })[]
}

export interface DocumentRemovalsBody {
  /** Each is done by itself; one that is named twice is done once. */
  readonly document_ids: readonly DocumentId[]
}

export interface DocumentRetries {
  readonly scope_id: ScopeId
  /** Documents that this request queued. */
  readonly queued: number
  /** Documents that are as they were. */
  readonly refused: number
  /** One for each document, in the order they were named; by id with `status`. */
  readonly results: readonly ({
    readonly queued: true
    readonly document_id: DocumentId
    /** New text makes a new version; 0 while there is no text. */
    readonly version: number
    readonly seq: Seq
  } | {
    readonly queued: false
    readonly document_id: DocumentId
    readonly problem: Problem
  })[]
  /** With `status`: send it as `after` for the next documents; null when these were the last. */
  readonly next_after: DocumentId | null
}

export interface DocumentRetriesBody {
  /** Each is done by itself; one that is named twice is done once. */
  readonly document_ids?: readonly DocumentId[]
  /** Instead of `document_ids`: the first 100 documents in this status, by their ids. */
  readonly status?: "failed" | "held"
  /** With `status`: only documents after this id; `next_after` of the request before. */
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
  /** New text makes a new version; 0 while there is no text. */
  readonly version: number
  readonly status: DocumentStatus
  readonly characters: number
  /** Null unless it was read. */
  readonly reading: ReadingReport | null
  readonly received_at: Timestamp
  readonly queued_at: Timestamp | null
  readonly started_at: Timestamp | null
  /** When it reached a terminal status. */
  readonly ended_at: Timestamp | null
}

/** `queued` is how many wait. */
export interface DocumentsByStatus {
  readonly registered: number
  readonly attached: number
  readonly queued: number
  readonly processing: number
  readonly processed: number
  readonly held: number
  readonly failed: number
  readonly superseded: number
  readonly removed: number
}

export interface EvidenceLeaf {
  /** SHA-256 of a zero byte and the leaf in canonical form. */
  readonly hash: Sha256
  readonly leaf: DocumentLeaf | ClaimLeaf | ContradictionLeaf | DecisionLeaf
}

export interface FileLocation {
  /** Of a PDF file; the first is 1. */
  readonly page: number | null
  /** Of a presentation; the first is 1. */
  readonly slide: number | null
  /** Name of the sheet in a workbook. */
  readonly sheet: string | null
  /** The cell of the value, in a workbook or a CSV file. */
  readonly cell: string | null
  /** The heading above it, in a Word document, HTML or Markdown. */
  readonly heading: string | null
  /** Of plain text or Markdown; of an e-mail, in the text that was read. The first is 1. */
  readonly line: number | null
}

/** What the file is. Where it is left out, Content-Type decides, and for `application/octet-stream` the extension of `name`. */
export type FileType = "pdf" | "docx" | "xlsx" | "pptx" | "html" | "md" | "csv" | "eml" | "txt"

export interface Hatchery {
  readonly hatchery_id: string
  readonly host: string
  readonly pid: number
  readonly alive: boolean
  readonly since: Timestamp
  /** It is the one that scales for all hosts. */
  readonly decides: boolean
  readonly roles: readonly ({
    readonly role: string
    readonly wanted: number
    readonly running: number
    readonly starting: number
    readonly min: number
    readonly max: number
  })[]
  readonly heartbeat_age_ms: number
}

export interface HatcheryRole {
  readonly role: string
  /** Null where no hatchery looks after the role; so are `min` and `max`. */
  readonly wanted: number | null
  readonly running: number
  readonly starting: number
  readonly busy: number
  readonly min: number | null
  readonly max: number | null
  /** Documents that may run and do not yet, counted up to 10,000. Null for a role that nothing waits for. */
  readonly waiting: number | null
  readonly oldest_wait_ms: number | null
  /** Documents a second, over a few seconds. */
  readonly arrival_rate: number | null
  /** Documents a second that one worker completes when all its room is taken. Null until one was completed. */
  readonly service_rate: number | null
  /** Room taken, of all there is. */
  readonly utilisation: number | null
  /** The last few, newest first. */
  readonly decisions: readonly ScalingDecision[]
}

export interface HatcherySnapshot {
  readonly taken_at: Timestamp
  readonly roles: readonly HatcheryRole[]
  readonly workers: readonly HatcheryWorker[]
  readonly hatcheries: readonly Hatchery[]
}

export interface HatcheryWorker {
  readonly worker_id: string
  readonly role: string
  readonly host: string
  readonly pid: number
  /** Null when no hatchery started it. */
  readonly hatchery_id: string | null
  readonly state: "idle" | "busy" | "retiring" | "lost"
  /** When the process started. */
  readonly since: Timestamp
  /** The one that has been in hand longest. */
  readonly current_attempt: Attempt | null
  readonly in_hand: number
  readonly processed: number
  readonly failed: number
  readonly memory_bytes: number
  readonly heartbeat_age_ms: number
}

export interface HealthResponse {
  readonly status: string
  readonly [name: string]: unknown
}

/** Which side holds; `both` when they turned out to be compatible. */
export type Holds = "a" | "b" | "both" | "neither"

export interface IngestBatchRequest {
  /** Each is accepted or refused by itself, also where it breaks its schema. */
  readonly documents: readonly IngestDocumentRequest[]
}

export interface IngestBatchResponse {
  readonly accepted: number
  readonly refused: number
  /** One for each document, in the order they were sent. */
  readonly results: readonly ({
    readonly accepted: true
    readonly document: IngestDocumentResponse
  } | {
    readonly accepted: false
    readonly problem: Problem
  })[]
}

export interface IngestDocumentRequest {
  readonly scope_id: ScopeId
  /** What people call the document. */
  readonly name: string
  /** What the text is; the default is `txt`. Default: `"txt"`. */
  readonly type?: string
  /** The whole text. A character is a Unicode code point. */
  readonly text: string
  /** Generated when left out. */
  readonly document_id?: DocumentId
  /** Where the document comes from. Kept as text, never fetched. */
  readonly source?: string
  /** Chosen by the sender, fresh for each new request; kept for 30 days unless the operator keeps it shorter. */
  readonly idempotency_key?: string
}

export interface IngestDocumentResponse {
  readonly scope_id: ScopeId
  /** What people call the document. */
  readonly name: string
  /** What the text is; the default is `txt`. */
  readonly type: string
  readonly document_id: string | null
  readonly idempotency_key: string | null
  readonly queued: true
  /** Where `document.queued` stands in the scope's log; open its stream after this to miss nothing. */
  readonly seq: number | null
  readonly integration_version: "v1"
  readonly message: string
}

export interface IngestFileResponse {
  readonly scope_id: ScopeId
  /** What people call the document. */
  readonly name: string
  /** What the text is; the default is `txt`. */
  readonly type: string
  readonly document_id: string | null
  readonly idempotency_key: string | null
  readonly queued: true
  /** Where `document.queued` stands in the scope's log; open its stream after this to miss nothing. */
  readonly seq: number | null
  readonly integration_version: "v1"
  readonly message: string
  /** Length of the text that was read from the file. */
  readonly characters: number
  /** What of the file has no text that could be read. */
  readonly unread: readonly UnreadFilePart[]
}

export interface IssueKeyBody {
  /** Where the key is used. */
  readonly name?: string
  /** In the future; the key never expires without it. With `Z` or an offset such as `+01:00`. */
  readonly expires_at?: string
}

export interface IssuedCertificate {
  readonly certificate: Certificate
  /** Of the certificate in canonical form: what the next one refers to. */
  readonly hash: Sha256
  /** The evidence is still what was certified. */
  readonly current: boolean
  /** Where in the log new evidence came, if some did. */
  readonly reopened_at: Seq | null
}

export interface IssuedKey {
  readonly key_id: KeyId
  /** The whole key. Shown here and never again. */
  readonly api_key: string
  readonly key_prefix: string
  readonly expires_at: Timestamp | null
  readonly message: string
}

export interface KernelHealth {
  readonly status: Status
  /** False when work waits that may run, and none is completed. */
  readonly moving: boolean
  readonly oldest_queued_age_ms: number | null
  readonly last_completion_age_ms: number | null
  readonly dispatcher_lag_ms: number | null
  /** Null when the database did not answer. */
  readonly audit: AuditHead | null
  readonly probes: readonly Probe[]
  readonly workers: readonly WorkerLiveness[]
  /** The optional judge, as the workers that ask it say: off where none does. It never changes the status. */
  readonly judge: "off" | "on" | "failing"
}

export interface Key {
  readonly key_id: KeyId
  readonly key_prefix: string
  readonly name: string | null
  readonly status: KeyStatus
  readonly created_at: Timestamp
  /** The key prefix, or the operator, that issued it. */
  readonly created_by: string
  readonly expires_at: Timestamp | null
  readonly revoked_at: Timestamp | null
  /** Exact to about a minute. */
  readonly last_used_at: Timestamp | null
}

/** Names a key; it is the part of the key before the secret. */
export type KeyId = string

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

export interface ListedConvergence {
  readonly score: number
  readonly state: ConvergenceState
}

export interface ListedScope {
  readonly scope_id: ScopeId
  readonly display_name: string | null
  /** Generation of the scope; a reset raises it. */
  readonly epoch: number
  readonly created_at: Timestamp
  readonly runtime: ScopeRuntime
  readonly documents: {
    /** All documents, those included of which only the mark is left. */
    readonly total: number
    readonly by_status: DocumentsByStatus
  }
  readonly convergence: ListedConvergence
}

export interface Liveness {
  readonly status: "ok"
}

export interface MetricsPoint {
  /** Where the point begins. */
  readonly at: Timestamp
  /** Taken into the queue: sent, triggered or tried again. */
  readonly accepted: number
  readonly processed: number
  readonly failed: number
  /** How long documents had waited whose first attempt began here; null where none did. */
  readonly queue_wait_ms: Percentiles | null
  /** How long the attempt took that ended a document here; null where none ended. */
  readonly processing_ms: Percentiles | null
  /** What became of contradictions here. */
  readonly contradictions: {
    /** Found or reported, and open. */
    readonly opened: number
    readonly resolved: number
    readonly dismissed: number
    /** By a person, or by a document that came later. */
    readonly reopened: number
  }
}

/** Whether it is, shall be, must be, might be, or is said by another. */
export type Modality = "actual" | "plan" | "target" | "limit" | "hypothetical" | "quoted"

/** In milliseconds, right to within a tenth of the value or a millisecond. */
export interface Percentiles {
  readonly p50: number
  readonly p90: number
  readonly p99: number
}

export interface Policy {
  /** Null for that of the tenant. */
  readonly scope_id: ScopeId | null
  /** 0 while none was written. */
  readonly version: number
  readonly text: string
  /** Of the whole set that is asked, as decisions have it: SHA-256 in hexadecimal. */
  readonly policy_hash: string
  readonly created_at: Timestamp | null
  readonly created_by: string | null
  /** What ships, and always holds beside it. */
  readonly default_text: string
  /** The newest fifty, newest first. */
  readonly versions: readonly PolicyVersion[]
}

export type PolicyPoint = "admit_document" | "settle_contradiction" | "process_document" | "settle_scope"

export interface PolicyVersion {
  readonly version: number
  /** It took back what was written before. */
  readonly empty: boolean
  readonly created_at: Timestamp
  /** Prefix of the key. */
  readonly created_by: string
}

export interface Probe {
  readonly name: Dependency
  readonly ok: boolean
  /** The service cannot serve without it. */
  readonly required: boolean
  /** Null when the probe got no answer. */
  readonly latency_ms: number | null
  /** Age of this finding. */
  readonly age_ms: number
  /** What is wrong and where to look. */
  readonly detail: string | null
}

export interface Problem {
  /** Where the code is explained: /problems/{code}. */
  readonly type: string
  readonly title: string
  readonly status: number
  /** What to do next. */
  readonly detail: string
  /** Names this occurrence, by its request_id. */
  readonly instance: string
  readonly code: "malformed_request" | "malformed_json" | "duplicate_header" | "credentials_conflict" | "credential_missing" | "credential_invalid" | "credential_expired" | "credential_revoked" | "gateway_signature_invalid" | "wrong_tier" | "tenant_mismatch" | "not_found" | "tenant_not_found" | "key_not_found" | "scope_not_found" | "document_not_found" | "contradiction_not_found" | "certificate_not_found" | "problem_not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "scope_exists" | "key_not_live" | "too_many_keys" | "illegal_transition" | "not_settled" | "refused_by_policy" | "text_not_found" | "certificate_outdated" | "payload_too_large" | "unsupported_media_type" | "file_unreadable" | "validation_failed" | "policy_invalid" | "idempotency_key_reused" | "headers_too_large" | "rate_limited" | "byte_rate_exceeded" | "too_many_requests_at_once" | "too_many_streams" | "queue_quota_exceeded" | "internal_error" | "no_root_key" | "queue_full" | "overloaded" | "unavailable"
  /** The same as X-Request-Id; quote it when you report a fault. */
  readonly request_id: string
  /** What exactly, where `code` speaks of several things. */
  readonly errors?: readonly ({
    /** JSON Pointer to the faulty value: `#/…` in the body, `path#/…`, `query#/…` and `header#/…` elsewhere. What is in the way in the scope itself: `/documents/…`, `/contradictions/…`, `/policies/…`. */
    readonly pointer: string
    /** The rule that was broken. */
    readonly code: string
    /** What to send instead. */
    readonly message: string
  })[]
}

export interface PutPolicyBody {
  /** In Cedar, each policy with an id: `@id("…")`. See the schema and the ones that ship in the documentation. */
  readonly text: string
}

export interface Readiness {
  readonly status: Status
  readonly checks: readonly ({
    readonly name: string
    readonly ok: boolean
    readonly required: boolean
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
  /** The format of the content, whatever `type` says. Only `text` is read. */
  readonly format: "text" | "html" | "base64" | "binary"
  /** The language of most of the text as an ISO 639-1 code; `und` where there are too few words to tell. */
  readonly language: string
  /** How sure the language is. */
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
  /** The format of the content, whatever `type` says. Only `text` is read. */
  readonly format: "text" | "html" | "base64" | "binary"
  /** The language of most of the text as an ISO 639-1 code; `und` where there are too few words to tell. */
  readonly language: string
  /** How sure the language is. */
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
  /** Claims of the versions that are in force. */
  readonly claims: number
  /** Claims that were compared with at least one claim of another document. */
  readonly claims_compared: number
  readonly left_out: LeftOut
}

/** `conflict`: both cannot hold; `restatement`: one side says that it takes the place of the other; `change`: both held, one after the other. */
export type Relation = "conflict" | "restatement" | "change"

export interface ReleaseBody {
  /** Who lets it pass. */
  readonly by: string
  /** Why. */
  readonly reason: string
}

export interface ReleasedDocument {
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  /** New text makes a new version; 0 while there is no text. */
  readonly version: number
  readonly queued: true
  readonly seq: Seq
  readonly decision_id: DecisionId
}

export interface RemovedContent {
  readonly documents: number
  readonly claims: number
  readonly contradictions: number
  readonly idempotency_records: number
  readonly log_entries: number
}

export interface RemovedDocument {
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  readonly removed: {
    readonly versions: number
  }
  readonly seq: Seq
}

export interface Report {
  /** When the report was written. */
  readonly generated_at: Timestamp
  readonly summary: ScopeSummary
  readonly convergence: Convergence
  /** Open ones first, by severity; within a severity by confidence. */
  readonly contradictions: readonly Contradiction[]
  /** About contradictions, newest first. */
  readonly decisions: readonly Decision[]
  /** Those that are not removed, by id. */
  readonly documents: readonly Document[]
  /** What the report does not hold because it is bounded. */
  readonly left_out: {
    /** Contradictions that the bounds leave out. */
    readonly contradictions: number
    /** Documents that the bounds leave out. */
    readonly documents: number
    /** Whether older decisions are left out. */
    readonly decisions: boolean
  }
}

export interface RequeuedDocument {
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  /** New text makes a new version; 0 while there is no text. */
  readonly version: number
  readonly queued: true
  readonly seq: Seq
}

export interface Reread {
  readonly scope_id: ScopeId
  /** `running`: documents are being queued and read. `ended`: all were read, or are at another end. `none`: nobody asked for one yet. */
  readonly state: "none" | "running" | "ended"
  /** As it was asked for; null where no reader was named. */
  readonly read_by: string | null
  /** How many documents were named; null where none were. */
  readonly documents_named: number | null
  /** Documents that were queued so far. */
  readonly documents_queued: number
  /** Those of them that are no longer on their way, as of a moment ago. */
  readonly documents_read: number
  readonly requested_at: Timestamp | null
  readonly ended_at: Timestamp | null
}

export interface RereadBody {
  /** Only these, whichever reader read them. */
  readonly document_ids?: readonly DocumentId[]
  /** Only those that this reader read. */
  readonly read_by?: string
}

export interface ResetScope {
  readonly scope_id: ScopeId
  /** The new generation; work of an older one has no effect. */
  readonly epoch: number
  readonly removed: RemovedContent
  /** Where `scope.reset` stands in the log, which goes on from there. */
  readonly seq: Seq
}

export interface Resolution {
  readonly outcome: "resolved" | "dismissed" | "reopened"
  readonly holds: Holds | null
  readonly decided_by: DecidedBy
  /** Prefix of the key that was used, or who else it was. Null where nobody asked for it. */
  readonly actor: string | null
  /** The person who was named. */
  readonly by: string | null
  /** Why, in the words of whoever decided. */
  readonly reason: string | null
  readonly decision_id: DecisionId
  readonly decided_at: Timestamp
}

export type ResolutionBody = {
  readonly outcome: "resolved"
  readonly holds: Holds
  /** The person who decided, where it is not the key alone that stands for it. */
  readonly by?: string
  /** Why. */
  readonly reason: string
} | {
  readonly outcome: "dismissed"
  /** The person who decided, where it is not the key alone that stands for it. */
  readonly by?: string
  /** Why. */
  readonly reason: string
} | {
  readonly outcome: "reopened"
  /** The person who decided, where it is not the key alone that stands for it. */
  readonly by?: string
  /** Why. */
  readonly reason: string
}

export interface RotateKeyBody {
  /** How long the old key goes on working beside the new one. Default: `86400`. */
  readonly overlap_seconds?: number
  /** Expiry of the new key. Left out, a key that expires is replaced by one with the same lifetime, counted from now. With `Z` or an offset such as `+01:00`. */
  readonly expires_at?: string
}

export interface RotatedKey {
  readonly key_id: KeyId
  /** The whole key. Shown here and never again. */
  readonly api_key: string
  readonly key_prefix: string
  readonly expires_at: Timestamp | null
  readonly message: string
  readonly replaces: KeyId
  readonly replaced_expires_at: Timestamp
}

export interface Runtime {
  readonly level: RuntimeLevel
  readonly tenant_id: TenantId | null
  readonly scope_id: ScopeId | null
  /** Of this switch. */
  readonly state: RuntimeState
  /** Of the strictest switch that applies here. */
  readonly effective_state: RuntimeState
  /** Raised by every restart. */
  readonly generation: number
  /** False when the switch stood there already. */
  readonly changed: boolean
  /** Attempts still running. */
  readonly in_flight: number
  /** Null while nobody has moved the switch. */
  readonly changed_at: Timestamp | null
  readonly changed_by: string | null
}

export interface RuntimeBody {
  readonly scope_id?: ScopeId
}

export type RuntimeLevel = "service" | "tenant" | "scope"

export type RuntimeState = "running" | "paused" | "stopped"

export interface ScalingDecision {
  readonly at: Timestamp
  readonly from: number
  readonly to: number
  readonly reason: string
}

export interface Scope {
  readonly scope_id: ScopeId
  readonly display_name: string | null
  /** Generation of the scope; a reset raises it. */
  readonly epoch: number
  readonly created_at: Timestamp
}

export interface ScopeConvergence {
  readonly tenant_id: TenantId
  readonly scope_id: ScopeId
  readonly score: number
  readonly state: ConvergenceState
  readonly parts: ConvergenceParts
  /** Claims of the versions that are in force. */
  readonly claims: number
  /** Claims that were compared with at least one claim of another document. */
  readonly claims_compared: number
  /** Comparisons that wait or are under way: by a language model, each of up to 100 statements, or of up to 100 groups of claims that a removed document left. While there are any, the scope is `working`. */
  readonly comparisons_pending: number
  /** Comparisons by a language model that are held, by reason. */
  readonly comparisons_held: {
    /** Held because no policy permits that their document is sent to the model. Permit it, or remove the document. */
    readonly not_permitted: number
    /** Held because the token budget of the tenant is used up, until the next period begins or the budget is raised. */
    readonly over_budget: number
  }
  readonly trend: ConvergenceTrend
  readonly blockers_total: number
}

/** Names a scope within its tenant: lowercase letters and digits, hyphens after the first character. */
export type ScopeId = string

export interface ScopeMetrics {
  readonly scope_id: ScopeId
  /** Where the first point begins, at a multiple of the step. */
  readonly from: Timestamp
  /** Where the last one ends; it may not have ended yet. */
  readonly to: Timestamp
  readonly step: "1m" | "5m" | "15m" | "1h" | "1d"
  readonly points: readonly MetricsPoint[]
}

export interface ScopeRuntime {
  /** Of the switch of this scope. */
  readonly own: RuntimeState
  /** Of the strictest switch that applies to it. */
  readonly effective: RuntimeState
  /** Raised by every restart of this scope. */
  readonly generation: number
}

export interface ScopeSummary {
  readonly scope_id: ScopeId
  readonly display_name: string | null
  /** Generation of the scope; a reset raises it. */
  readonly epoch: number
  readonly created_at: Timestamp
  readonly runtime: ScopeRuntime
  readonly documents: {
    /** All documents, those included of which only the mark is left. */
    readonly total: number
    readonly by_status: DocumentsByStatus
    /** Since when the one waits that has waited longest; null while none does. */
    readonly oldest_queued_at: Timestamp | null
  }
  readonly claims: {
    /** Of the versions that are in force. */
    readonly total: number
  }
  /** How much of all documents was read and compared. */
  readonly reading: ReadingTotals
  readonly contradictions: ContradictionsAtAGlance
  readonly convergence: ConvergenceAtAGlance
  /** Null while the log is empty. */
  readonly log_head: Seq | null
  /** When the last entry of the log was written. */
  readonly last_activity_at: Timestamp | null
}

/** A position in the scope's log, which has no gaps. */
export type Seq = number

export type Severity = "low" | "medium" | "high" | "critical"

/** SHA-256, in hexadecimal digits. */
export type Sha256 = string

/** What is being done to a document in `processing`, in this order. */
export type Stage = "read" | "compare" | "govern" | "settle"

/** `degraded`: serving, but a part that carries (not decides) is missing. `unavailable`: not serving. */
export type Status = "ok" | "degraded" | "unavailable"

export interface Tenant {
  readonly tenant_id: TenantId
  readonly name: string
  readonly created_at: Timestamp
}

/** Names a tenant. */
export type TenantId = string

export interface TierHealthResponse {
  readonly status: string
  readonly tier: string
  readonly authTier?: string | null
  readonly [name: string]: unknown
}

/** An instant in UTC. */
export type Timestamp = string

export interface TriggerIngestBody {
  /** Only these; every attached document of the scope when left out. */
  readonly document_ids?: readonly DocumentId[]
}

export interface TriggerIngestResponse {
  readonly scope_id: ScopeId
  /** Documents that were attached and are queued by this request. */
  readonly queued: number
  /** Documents that were queued before, whatever became of them since; they are left as they are. */
  readonly already_queued: number
  /** Documents that are only registered: there is no text to queue yet. */
  readonly without_text: number
  /** Null when nothing was queued. */
  readonly first_seq: Seq | null
  readonly last_seq: Seq | null
}

/** A part of a file that nobody read. */
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

/** Why something was not read. `limit`: the reader stops after 400 claims. `time`, `memory`: reading was ended. `language`: the reader cannot read it. `not_text`: there is no text to read. `failed`: the reader failed on it. */
export type UnreadReason = "limit" | "time" | "memory" | "language" | "not_text" | "failed"

export interface UpdateDocumentBody {
  /** Takes the place of the tags that it has. */
  readonly tags?: readonly string[]
  /** Each text is set under its name, null removes it, and what is not named stays; a document has 20 at most. */
  readonly metadata?: Readonly<Record<string, string | null>>
}

/** Why the language model gives no answer. `over_budget`: the tenant has used its tokens of the day or month, and the next one is waited for. All others are about the endpoint. */
export type WaitingReason = "timeout" | "unreachable" | "busy" | "forbidden" | "server_error" | "over_budget"

export interface WorkerLiveness {
  readonly worker_id: string
  readonly role: string
  readonly alive: boolean
  readonly heartbeat_age_ms: number
}

export interface ClaimsExtractedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "claims.extracted"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    readonly version: number
    readonly claims: number
  }
}

export interface ComparisonCutEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "comparison.cut"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    /** Groups of claims in the scope that are not compared completely. */
    readonly groups: number
    /** Claims in these groups that are not compared, each counted once a group. */
    readonly claims: number
    /** Contradictions in these groups that are not kept. */
    readonly findings: number
  }
}

export interface ComparisonHeldEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "comparison.held"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    /** No policy permits that a document of the comparison is sent to the language model (`not_permitted`), or the token budget of the tenant is used up (`over_budget`). */
    readonly reason: "not_permitted" | "over_budget"
  }
}

export interface ComparisonReleasedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "comparison.released"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    /** No policy permits that a document of the comparison is sent to the language model (`not_permitted`), or the token budget of the tenant is used up (`over_budget`). */
    readonly reason: "not_permitted" | "over_budget"
  }
}

export interface ContradictionChangedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "contradiction.changed"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly contradiction_id: ContradictionId
    readonly relation: Relation
    readonly kind: ContradictionKind
    readonly severity: Severity
    /** Of both sides, where they are known. */
    readonly document_ids: readonly DocumentId[]
  }
}

export interface ContradictionDismissedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "contradiction.dismissed"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly contradiction_id: ContradictionId
    readonly decision_id: DecisionId
    readonly decided_by: DecidedBy
  }
}

export interface ContradictionOpenedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "contradiction.opened"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly contradiction_id: ContradictionId
    readonly relation: Relation
    readonly kind: ContradictionKind
    readonly severity: Severity
    /** Of both sides, where they are known. */
    readonly document_ids: readonly DocumentId[]
    /** Both sides are of one document. */
    readonly internal: boolean
    /** Left out for one that is open. One that is found again stands as it was decided before. */
    readonly status?: ContradictionStatus
  }
}

export interface ContradictionReopenedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "contradiction.reopened"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly contradiction_id: ContradictionId
    readonly decision_id: DecisionId
    readonly decided_by: DecidedBy
  }
}

export interface ContradictionResolvedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "contradiction.resolved"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly contradiction_id: ContradictionId
    readonly decision_id: DecisionId
    readonly decided_by: DecidedBy
    readonly holds: Holds
  }
}

export interface ContradictionWithdrawnEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "contradiction.withdrawn"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly contradiction_id: ContradictionId
    readonly relation: Relation
    readonly kind: ContradictionKind
    readonly severity: Severity
    /** Of both sides, where they are known. */
    readonly document_ids: readonly DocumentId[]
    /** A document of it has a newer version or was read again (`replaced`), or was removed (`removed`); or both documents are as they were, and what else is compared says something else of them (`outranked`); a new document alone never does that. */
    readonly reason: "replaced" | "removed" | "outranked"
  }
}

export interface ConvergenceChangedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "convergence.changed"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly score: number
    readonly state: ConvergenceState
    readonly blockers: number
  }
}

export interface DecisionMadeEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "decision.made"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly decision_id: DecisionId
    readonly point: PolicyPoint
    readonly result: DecisionResult
    /** The policy, or `person`. */
    readonly decided_by: string
  }
}

export interface DocumentAttachedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "document.attached"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    readonly version: number
  }
}

export interface DocumentFailedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "document.failed"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    readonly version: number
    readonly stage: Stage
    readonly attempt: number
    /** Why, as a stable word. */
    readonly reason: string
  }
}

export interface DocumentHeldEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "document.held"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    readonly version: number
    readonly decision_id: DecisionId
    /** Why, as a stable word. */
    readonly reason: string
  }
}

export interface DocumentProcessedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "document.processed"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    readonly version: number
    readonly attempt: number
    readonly passages: number
    readonly sentences: number
    /** How much of it was read, and what was not and why. */
    readonly reading: Reading
  }
}

export interface DocumentProcessingEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "document.processing"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    readonly version: number
    readonly stage: Stage
    readonly attempt: number
  }
}

export interface DocumentQueuedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "document.queued"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    readonly version: number
  }
}

export interface DocumentRegisteredEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "document.registered"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    readonly version: number
  }
}

export interface DocumentRemovedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "document.removed"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    readonly version: number
  }
}

export interface DocumentSupersededEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "document.superseded"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    readonly version: number
    /** The newer version. */
    readonly superseded_by: number
  }
}

export interface RuntimeChangedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "runtime.changed"
  readonly data: {
    readonly tenant_id: TenantId | null
    readonly scope_id: ScopeId | null
    readonly epoch: number | null
    readonly seq: Seq | null
    readonly level: RuntimeLevel
    readonly state: RuntimeState
    readonly effective_state: RuntimeState
    readonly generation: number
  }
}

export interface ScalingDecidedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "scaling.decided"
  readonly data: {
    readonly role: string
    readonly from: number
    readonly to: number
    /** Why, as a stable word. */
    readonly reason: string
  }
}

export interface ScopeCreatedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "scope.created"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
  }
}

export interface ScopeDeclaredEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "scope.declared"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly certificate_id: CertificateId
    readonly number: number
    /** The position at which the scope was settled. */
    readonly log_position: Seq
    readonly decision_id: DecisionId
  }
}

export interface ScopeReopenedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "scope.reopened"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly certificate_id: CertificateId
    readonly number: number
    /** The position at which the scope was settled. */
    readonly log_position: Seq
    /** Where in the log new evidence came. */
    readonly reopened_at: Seq
  }
}

export interface ScopeResetEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "scope.reset"
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    readonly epoch: number
    readonly seq: Seq
    readonly removed: RemovedContent
  }
}

export interface WorkerHatchedEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "worker.hatched"
  readonly data: {
    readonly worker_id: string
    readonly role: string
    readonly host: string
  }
}

export interface WorkerLostEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "worker.lost"
  readonly data: {
    readonly worker_id: string
    readonly role: string
    readonly host: string
    readonly heartbeat_age_ms: number
  }
}

export interface WorkerRetiredEvent {
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  readonly type: "worker.retired"
  readonly data: {
    readonly worker_id: string
    readonly role: string
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

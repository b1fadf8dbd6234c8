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
  /** How long the oldest of these entries has waited, in milliseconds; null when none waits. */
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
  /** What it is about; null where the text does not say. */
  readonly entity: string | null
  /** What of it. */
  readonly attribute: string
  /** What makes it another measure or another world. */
  readonly qualifiers: readonly string[]
  readonly value: ClaimValue
  /** `denied` where the text says that there is none or that something is not so, else `affirmed`. */
  readonly polarity: "affirmed" | "denied"
  readonly modality: Modality
  /** The time that the claim is about; null where the text does not say. */
  readonly period: string | null
  /** The day on which the document says so, by its own words; null where it names none. */
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
  /** As the document writes it. */
  readonly text: string
  /** The number, or the lower end of a range; null where that side is open or the value is no number. */
  readonly low: number | null
  /** The upper end of a range, else equal to `low`; null where that side is open or the value is no number. */
  readonly high: number | null
  /** Currency, `%`, unit, or what is counted; durations are in seconds (`s`). Null where the value has none. */
  readonly unit: string | null
  /** The document says "about", "nearly" or the like. */
  readonly approximate: boolean
  /** What a limit permits: numbers at least, at most, above or below this one; null where the value is no limit. */
  readonly bound: "at_least" | "at_most" | "more_than" | "less_than" | null
  /** The day, or the first day of the time that is named; null where the value is no date. */
  readonly first_day: string | null
  /** The last day of the month, quarter or year that is named, else equal to `first_day`; null where the value is no date. */
  readonly last_day: string | null
  /** The status, level or name in canonical words; null for other kinds. */
  readonly word: string | null
  /** The group of words that a status or level belongs to, only one of which can hold; null for other kinds. */
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
  /** What it is about, in one line. Null unless a language model found it. */
  readonly title: string | null
  /** What both sides are about, such as a company; null where the text does not say. */
  readonly entity: string | null
  /** What both sides say of it, such as its revenue; null where the text does not say. */
  readonly attribute: string | null
  /** The time that both sides are about; null where the text does not say. */
  readonly period: string | null
  readonly severity: Severity
  /** That a person would call it one. Null where it was reported. */
  readonly confidence: number | null
  /** Both sides are of one document. */
  readonly internal: boolean
  /** One side: of a change the earlier one, of a restatement the one that is corrected. */
  readonly a: ContradictionSide
  /** The other side: of a change the later one, of a restatement the one that corrects. */
  readonly b: ContradictionSide
  /** Null where the values are not measured, or in different units. */
  readonly difference: Difference | null
  /** What the two sides disagree about, in one or two sentences. */
  readonly explanation: string
  /** In how many more places the documents say what either side says. */
  readonly further: number
  /** What whoever reported it added; null where nothing was added or it was not reported. */
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

/** `newest`: the last opened first. `severity`: the most severe first; of these the one of the highest confidence, where a reported one counts as 1; of these the last opened. */
export type ContradictionOrder = "newest" | "severity"

/** What one side says, and where it says it. */
export interface ContradictionSide {
  /** Name of the document, or what the reporter called it. */
  readonly source: string
  /** The document that says it; null where a report names none that Concord has. */
  readonly document_id: DocumentId | null
  /** The version of the document that says it; null where no document is known. */
  readonly version: number | null
  /** The claim that says it; null where the side was reported. */
  readonly claim_id: ClaimId | null
  /** The words of the document, unchanged. */
  readonly quote: string
  /** Offset of the first character of the quote in the text; null where the side was reported. */
  readonly start: number | null
  /** Offset after the last character of the quote; null where the side was reported. */
  readonly end: number | null
  /** Where the value stands in the file. Null where the text was sent instead of a file, and where no heading is above it. */
  readonly location: FileLocation | null
  /** What the side says, in a form that can be compared; null where it was reported. */
  readonly value: ClaimValue | null
  /** The day on which the document says so, by its own words; null where it names none. */
  readonly asserted_at: string | null
}

/** `open`: nothing is decided. `resolved`: a decision says which side holds. `dismissed`: a decision says that it is no contradiction. */
export type ContradictionStatus = "open" | "resolved" | "dismissed"

/** How many contradictions the scope has, and the newest open ones. */
export interface ContradictionsAtAGlance {
  /** All contradictions, whatever became of them. */
  readonly total: number
  /** How many there are in each status. */
  readonly by_status: {
    /** Contradictions that nothing is decided about. */
    readonly open: number
    /** Contradictions for which a decision says which side holds. */
    readonly resolved: number
    /** Contradictions that were decided to be none. */
    readonly dismissed: number
  }
  /** Of those that are open. */
  readonly by_severity: {
    /** Open ones that matter little. */
    readonly low: number
    /** Open ones that matter somewhat. */
    readonly medium: number
    /** Open ones that matter much; any keeps the scope `contested`. */
    readonly high: number
    /** Open ones that matter most; any keeps the scope `contested`. */
    readonly critical: number
  }
  /** Of those that are open. */
  readonly by_relation: {
    /** Open ones whose sides cannot both hold. */
    readonly conflict: number
    /** Open ones where one side says that it takes the place of the other. */
    readonly restatement: number
    /** Open ones whose sides both held, one after the other. */
    readonly change: number
  }
  /** Of those that are open. */
  readonly by_kind: {
    /** Open ones about amounts of money. */
    readonly money: number
    /** Open ones about percentages. */
    readonly percent: number
    /** Open ones about how many there are of something. */
    readonly count: number
    /** Open ones about measured quantities, such as lengths or weights. */
    readonly measure: number
    /** Open ones about ratios. */
    readonly ratio: number
    /** Open ones about dates. */
    readonly date: number
    /** Open ones about how long something takes. */
    readonly duration: number
    /** Open ones about version numbers. */
    readonly version: number
    /** Open ones about places on an ordered scale. */
    readonly level: number
    /** Open ones about the state that something is in. */
    readonly status: number
    /** Open ones about whether there is such a thing. */
    readonly existence: number
    /** Open ones about who or what something is. */
    readonly identity: number
    /** Open ones that a person or another system reported. */
    readonly reported: number
  }
  /** The newest that are open, with both quotes. */
  readonly newest: readonly Contradiction[]
}

export interface ControlPlaneHealth {
  readonly status: KernelStatus
  /** One finding for each dependency that was checked. */
  readonly probes: readonly Probe[]
  /** Whether the database schema is the one that this release needs. */
  readonly migrations: {
    /** Migrations that the database has applied. */
    readonly applied: number
    /** Migrations that this release needs. */
    readonly expected: number
  }
  readonly runtime: ServiceSwitch
  /** Milliseconds since any hatchery last sent a heartbeat; null when none did lately. */
  readonly hatchery_heartbeat_age_ms: number | null
}

/** How settled the scope is, what keeps it from being settled and how the score has moved. */
export interface Convergence {
  readonly scope_id: ScopeId
  /** How settled the scope is, from 0 to 1. */
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
  /** How many things keep the scope from being settled, also those beyond the ones that are listed. */
  readonly blockers_total: number
  /** The position in the log at which this is true. */
  readonly seq: Seq
  /** The last 50, newest last. There is one where the state changed, or the score by a hundredth or more. */
  readonly points: readonly ConvergencePoint[]
}

/** How settled the scope is, with the first few blockers. */
export interface ConvergenceAtAGlance {
  /** How settled the scope is, from 0 to 1. */
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
  /** How many things keep the scope from being settled, also those beyond the ones that are listed. */
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

/** The four shares that make up the score, each from 0 to 1. */
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
  /** How settled the scope was then, from 0 to 1. */
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
  /** Where the score is heading: `plateau` where it hardly moves, `oscillating` where it turned round three times or more. */
  readonly shape: "rising" | "falling" | "plateau" | "oscillating"
  /** Change of the score for each document that came to its end. */
  readonly rate: number
  /** At this rate, until the scope is settled; null unless documents are being read and the score rises by them. */
  readonly documents_to_go: number | null
}

export interface CreateContradictionBody {
  readonly scope_id: ScopeId
  /** What the document says, in your words or its own. */
  readonly claim_a: string
  /** What the document says, in your words or its own. */
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
  /** What people call the scope. */
  readonly display_name?: string
}

export interface CreateScopeBody {
  readonly scope_id: ScopeId
  /** What people call the scope. */
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
  /** What happened, for people to read; the wording may change. */
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
  /** The contradiction that was decided; null where the decision is not about one. */
  readonly contradiction_id: ContradictionId | null
  /** The documents it is about; of one by evidence, those that are the evidence. */
  readonly document_ids: readonly DocumentId[]
  /** Which side holds, as the contradiction shows its sides now; null unless it was resolved. */
  readonly holds: Holds | null
  readonly decided_by: DecidedBy
  /** Prefix of the key that was used, or who else it was. Null where nobody asked for it. */
  readonly actor: string | null
  /** The person who was named as the one who decided; null where nobody was named. */
  readonly by: string | null
  /** Why, in the words of whoever decided; null where no reason was given. */
  readonly reason: string | null
  /** Which policies decided, where some did. */
  readonly policies: readonly string[]
  /** SHA-256 of the policies as they were, in hexadecimal digits; null where no policy was asked. */
  readonly policy_hash: string | null
  /** Where the log of the scope tells of it. */
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

/** A part that the service depends on or consists of, as probes and events name it. */
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
  /** What people call the document. */
  readonly name: string
  /** What you said the text is, such as `txt`. */
  readonly type: string
  /** Where the document comes from, as you said it; null where you did not. */
  readonly source: string | null
  /** The stable reference that you gave; null where you gave none. */
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
  /** Why the last attempt on this version failed; null where it did not fail. */
  readonly error: DocumentFailure | null
  /** What holds it; null unless `held`. */
  readonly hold: DocumentHold | null
  /** How much of this version was read, and what was not and why; null unless `processed` or `failed`. */
  readonly reading: ReadingReport | null
  /** Pages and slides of the file that have no text, such as scans, and attachments that nobody opened; the first 100. Empty where the text itself was sent. What of the text was not read, and why, is in `reading.unread`. */
  readonly unread: readonly UnreadFilePart[]
  /** How many such parts the file has. */
  readonly unread_total: number
  /** What a `queued` document waits for: `model`, where the language model that reads it gives no answer; null where it does not wait for it. It goes on by itself; no attempt is counted. */
  readonly waiting_for: "model" | null
  /** Null unless it waits for the model. */
  readonly waiting_reason: WaitingReason | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface DocumentDetail {
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  /** What people call the document. */
  readonly name: string
  /** What you said the text is, such as `txt`. */
  readonly type: string
  /** Where the document comes from, as you said it; null where you did not. */
  readonly source: string | null
  /** The stable reference that you gave; null where you gave none. */
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
  /** Why the last attempt on this version failed; null where it did not fail. */
  readonly error: DocumentFailure | null
  /** What holds it; null unless `held`. */
  readonly hold: DocumentHold | null
  /** How much of this version was read, and what was not and why; null unless `processed` or `failed`. */
  readonly reading: ReadingReport | null
  /** Pages and slides of the file that have no text, such as scans, and attachments that nobody opened; the first 100. Empty where the text itself was sent. What of the text was not read, and why, is in `reading.unread`. */
  readonly unread: readonly UnreadFilePart[]
  /** How many such parts the file has. */
  readonly unread_total: number
  /** What a `queued` document waits for: `model`, where the language model that reads it gives no answer; null where it does not wait for it. It goes on by itself; no attempt is counted. */
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
    /** The document is removed. */
    readonly removed: true
    readonly document_id: DocumentId
    /** How many versions it had. */
    readonly versions: number
    readonly seq: Seq
  } | {
    /** The document is as it was. */
    readonly removed: false
    readonly document_id: DocumentId
    /** Why the request was refused for this document. */
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
    /** The document is queued again. */
    readonly queued: true
    readonly document_id: DocumentId
    /** New text makes a new version; 0 while there is no text. */
    readonly version: number
    readonly seq: Seq
  } | {
    /** The document is as it was. */
    readonly queued: false
    readonly document_id: DocumentId
    /** Why the request was refused for this document. */
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
  /** Length of the text, in code points. */
  readonly characters: number
  /** Null unless it was read. */
  readonly reading: ReadingReport | null
  readonly received_at: Timestamp
  /** When it was queued last; null where it never was. */
  readonly queued_at: Timestamp | null
  /** When the first attempt on it began; null before that. */
  readonly started_at: Timestamp | null
  /** When it reached a terminal status; null before that. */
  readonly ended_at: Timestamp | null
}

/** `queued` is how many wait. */
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
  /** Documents that policies hold until a person lets them pass. */
  readonly held: number
  /** Documents whose last attempt failed. */
  readonly failed: number
  /** Documents whose version was replaced by a newer one. */
  readonly superseded: number
  /** Documents that were removed; only the mark of each is left. */
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
  /** The nearest heading above it, in a Word document, HTML or Markdown; null where there is none and for other files. */
  readonly heading: string | null
  /** Line of plain text or Markdown, or of the text that was read from an e-mail, from 1; null for other files. */
  readonly line: number | null
}

/** What the file is. Where it is left out, Content-Type decides, and for `application/octet-stream` the extension of `name`. */
export type FileType = "pdf" | "docx" | "xlsx" | "pptx" | "html" | "md" | "csv" | "eml" | "txt"

export interface Hatchery {
  /** Id of the hatchery: the process that starts and ends workers on its host. */
  readonly hatchery_id: string
  /** Name of the machine that it runs on. */
  readonly host: string
  /** Process id on that machine. */
  readonly pid: number
  /** Whether its last heartbeat is recent enough for it to count as running. */
  readonly alive: boolean
  readonly since: Timestamp
  /** It is the one that scales for all hosts. */
  readonly decides: boolean
  /** The workers of this host, one entry for each role. */
  readonly roles: readonly ({
    /** What the workers do; those that read and compare documents have the role `worker`. */
    readonly role: string
    /** Workers that it is to run on its host. */
    readonly wanted: number
    /** Its workers that are running. */
    readonly running: number
    /** Its workers that are starting. */
    readonly starting: number
    /** The fewest workers that it keeps on its host. */
    readonly min: number
    /** The most workers that it starts on its host. */
    readonly max: number
  })[]
  /** Milliseconds since its last heartbeat arrived. */
  readonly heartbeat_age_ms: number
}

export interface HatcheryRole {
  /** What the workers do; those that read and compare documents have the role `worker`. */
  readonly role: string
  /** Null where no hatchery looks after the role; so are `min` and `max`. */
  readonly wanted: number | null
  /** Workers that are alive and are not about to end. */
  readonly running: number
  /** Workers that were started and have not sent a heartbeat yet. */
  readonly starting: number
  /** Running workers that have at least one document in progress. */
  readonly busy: number
  /** The fewest workers that scaling keeps, on all hosts; null where no hatchery looks after the role. */
  readonly min: number | null
  /** The most workers that scaling starts, on all hosts; null where no hatchery looks after the role. */
  readonly max: number | null
  /** Documents that may run and do not yet, counted up to 10,000. Null for a role that nothing waits for. */
  readonly waiting: number | null
  /** How long the longest of these has waited, in milliseconds; null when nothing waits or it is not known. */
  readonly oldest_wait_ms: number | null
  /** Documents that arrive in a second, over the last few seconds; null for a role that nothing waits for. */
  readonly arrival_rate: number | null
  /** Documents a second that one worker completes when all its room is taken. Null until one was completed. */
  readonly service_rate: number | null
  /** Share of the capacity of its workers that is in use, from 0 to 1; null where it is not known. */
  readonly utilisation: number | null
  /** The last few, newest first. */
  readonly decisions: readonly ScalingDecision[]
}

export interface HatcherySnapshot {
  readonly taken_at: Timestamp
  /** What each role has, wants and waits for, over all hosts. */
  readonly roles: readonly HatcheryRole[]
  /** All workers that sent a heartbeat lately, on all hosts. */
  readonly workers: readonly HatcheryWorker[]
  /** All hatcheries that sent a heartbeat lately. */
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
  /** Null when no hatchery started it. */
  readonly hatchery_id: string | null
  /** `idle`: it has no documents. `busy`: it has some. `retiring`: it finishes what it has and ends. `lost`: its heartbeats stopped. */
  readonly state: "idle" | "busy" | "retiring" | "lost"
  /** When the process started. */
  readonly since: Timestamp
  /** The attempt that has been running longest; null while none runs. */
  readonly current_attempt: Attempt | null
  /** Documents that it is working on now. */
  readonly in_flight: number
  /** Attempts that it completed since it started. */
  readonly processed: number
  /** Attempts that failed on it since it started. */
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

/** Which side holds; `both` when they turned out to be compatible. */
export type Holds = "a" | "b" | "both" | "neither"

export interface IngestBatchRequest {
  /** Each is accepted or refused by itself, also where it breaks its schema. */
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
    /** The answer that the document would have had if it had been sent alone. */
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
  /** Id of the stored document, yours or a generated one; the service never answers null. */
  readonly document_id: string | null
  /** The idempotency key that you sent; null where you sent none. */
  readonly idempotency_key: string | null
  /** Always true: the document is stored and waits to be processed. */
  readonly queued: true
  /** Where `document.queued` stands in the scope's log; open its stream after this to miss nothing. The service never answers null. */
  readonly seq: number | null
  /** The version of the ingestion interface. */
  readonly integration_version: "v1"
  /** What happened, for people to read; the wording may change. */
  readonly message: string
}

export interface IngestFileResponse {
  readonly scope_id: ScopeId
  /** What people call the document. */
  readonly name: string
  /** What the text is; the default is `txt`. */
  readonly type: string
  /** Id of the stored document, yours or a generated one; the service never answers null. */
  readonly document_id: string | null
  /** The idempotency key that you sent; null where you sent none. */
  readonly idempotency_key: string | null
  /** Always true: the document is stored and waits to be processed. */
  readonly queued: true
  /** Where `document.queued` stands in the scope's log; open its stream after this to miss nothing. The service never answers null. */
  readonly seq: number | null
  /** The version of the ingestion interface. */
  readonly integration_version: "v1"
  /** What happened, for people to read; the wording may change. */
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
  /** The certificate as it was signed. */
  readonly certificate: Certificate
  /** Of the certificate in canonical form: what the next one refers to. */
  readonly hash: Sha256
  /** The evidence is still what was certified. */
  readonly current: boolean
  /** Where in the log new evidence came; null where none did. */
  readonly reopened_at: Seq | null
}

export interface IssuedKey {
  readonly key_id: KeyId
  /** The whole key. Shown here and never again. */
  readonly api_key: string
  /** All of the key before its secret; safe to log. */
  readonly key_prefix: string
  /** When the key stops working; null where it never expires. */
  readonly expires_at: Timestamp | null
  /** What happened, for people to read; the wording may change. */
  readonly message: string
}

export interface KernelHealth {
  readonly status: KernelStatus
  /** False when work waits that may run, and none is completed; also while the whole service is paused or stopped. */
  readonly moving: boolean
  /** Null while this process has never read the switch of the whole service. */
  readonly runtime: ServiceSwitch | null
  /** How long the oldest queued document that may run has waited, in milliseconds; null when none waits or the database did not answer. */
  readonly oldest_queued_age_ms: number | null
  /** Milliseconds since a worker last completed an attempt; null until one was seen. */
  readonly last_completion_age_ms: number | null
  /** Milliseconds since the dispatch lease that is furthest behind was renewed; null while part of the queue has no dispatcher or the database did not answer. */
  readonly dispatcher_lag_ms: number | null
  /** Null when the database did not answer. */
  readonly audit: AuditHead | null
  /** One finding for each dependency that was checked. */
  readonly probes: readonly Probe[]
  /** All processes that sent a heartbeat lately, also those that stopped sending them. */
  readonly workers: readonly WorkerLiveness[]
  /** The optional judge, as the workers that ask it say: off where none does. It never changes the status. */
  readonly judge: "off" | "on" | "failing"
}

/** `paused` and `stopped`: every part works, and the switch of the whole service holds all work. `degraded`: serving, but a part that carries (not decides) is missing. `unavailable`: a part is missing that nothing works without, or work that may run does not move. */
export type KernelStatus = "ok" | "paused" | "stopped" | "degraded" | "unavailable"

export interface Key {
  readonly key_id: KeyId
  /** All of the key before its secret; safe to log. */
  readonly key_prefix: string
  /** Where the key is used; null where it was issued without a name. */
  readonly name: string | null
  readonly status: KeyStatus
  readonly created_at: Timestamp
  /** The key prefix, or the operator, that issued it. */
  readonly created_by: string
  /** When the key stops working; null where it never expires. */
  readonly expires_at: Timestamp | null
  /** When the key was revoked; null where it was not. */
  readonly revoked_at: Timestamp | null
  /** When a request last used the key, exact to about a minute; null where none has. */
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
  /** What people call the scope; null where it was made without a name. */
  readonly display_name: string | null
  /** Generation of the scope; a reset raises it. */
  readonly epoch: number
  readonly created_at: Timestamp
  readonly runtime: ScopeRuntime
  /** How many documents the scope has, in all and by status. */
  readonly documents: {
    /** All documents, those included of which only the mark is left. */
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
  /** How settled the scope was, from 0 to 1; right to within a hundredth. */
  readonly score: number
  readonly state: ConvergenceState
}

export interface MetricsPoint {
  /** Where the point begins. */
  readonly at: Timestamp
  /** Taken into the queue: sent, triggered or tried again. */
  readonly accepted: number
  /** Documents that were processed here. */
  readonly processed: number
  /** Documents that failed here, after their last attempt. */
  readonly failed: number
  /** How long documents had waited whose first attempt began here; null where none did. */
  readonly queue_wait_ms: Percentiles | null
  /** How long the attempt took that ended a document here; null where none ended. */
  readonly processing_ms: Percentiles | null
  /** What became of contradictions here. */
  readonly contradictions: {
    /** Found or reported, and open. */
    readonly opened: number
    /** Decided here by saying which side holds. */
    readonly resolved: number
    /** Decided here to be no contradiction. */
    readonly dismissed: number
    /** By a person, or by a document that came later. */
    readonly reopened: number
  }
  /** How settled the scope was when the point ended, or is now; null before that first moved, and beyond its last 10,000 moves. */
  readonly convergence: MetricsConvergence | null
}

/** Whether it is, shall be, must be, might be, or is said by another. */
export type Modality = "actual" | "plan" | "target" | "limit" | "hypothetical" | "quoted"

/** In milliseconds, right to within a tenth of the value or a millisecond. */
export interface Percentiles {
  /** Half of the documents took this many milliseconds or fewer. */
  readonly p50: number
  /** 90 of 100 documents took this many milliseconds or fewer. */
  readonly p90: number
  /** 99 of 100 documents took this many milliseconds or fewer. */
  readonly p99: number
}

export interface Policy {
  /** Null for that of the tenant. */
  readonly scope_id: ScopeId | null
  /** 0 while none was written. */
  readonly version: number
  /** The text in force, in Cedar; empty while none was written or after it was taken back. */
  readonly text: string
  /** Of the whole set that is asked, as decisions have it: SHA-256 in hexadecimal. */
  readonly policy_hash: string
  /** When this version was written; null while none was. */
  readonly created_at: Timestamp | null
  /** Prefix of the key that wrote this version; null while none was written. */
  readonly created_by: string | null
  /** What ships, and always holds beside it. */
  readonly default_text: string
  /** The newest fifty, newest first. */
  readonly versions: readonly PolicyVersion[]
}

/** The question that was decided. `admit_document`: may the document be read. `process_document`: may this stage and model be used on it. `settle_contradiction`: what becomes of a contradiction. `settle_scope`: may the scope be declared settled. */
export type PolicyPoint = "admit_document" | "settle_contradiction" | "process_document" | "settle_scope"

export interface PolicyVersion {
  /** Number of the version; the first is 1. */
  readonly version: number
  /** It took back what was written before. */
  readonly empty: boolean
  readonly created_at: Timestamp
  /** Prefix of the key. */
  readonly created_by: string
}

export interface Probe {
  readonly name: Dependency
  /** Whether the probe found this part working. */
  readonly ok: boolean
  /** The service cannot serve without it. */
  readonly required: boolean
  /** Null when the probe got no answer. */
  readonly latency_ms: number | null
  /** Age of this finding. */
  readonly age_ms: number
  /** What is wrong and where to look; null when nothing is. */
  readonly detail: string | null
}

export interface Problem {
  /** Where the code is explained: /problems/{code}. */
  readonly type: string
  /** What went wrong, in a few words that are the same for every problem with this code. */
  readonly title: string
  /** The HTTP status of the answer. */
  readonly status: number
  /** What to do next. */
  readonly detail: string
  /** Names this occurrence, by its request_id. */
  readonly instance: string
  /** What went wrong, as a stable word to program against. */
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
  /** The last finding for each part that was checked. */
  readonly checks: readonly ({
    /** Which part was checked. */
    readonly name: string
    /** Whether the check found it working. */
    readonly ok: boolean
    /** Whether the service cannot serve without it. */
    readonly required: boolean
    /** Milliseconds since the part was checked. */
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
  /** Idempotency keys that were remembered; each may be used anew. */
  readonly idempotency_records: number
  /** Entries of the log. */
  readonly log_entries: number
}

export interface RemovedDocument {
  readonly scope_id: ScopeId
  readonly document_id: DocumentId
  /** How much was removed. */
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
  /** Always true: the document waits to be processed. */
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
  /** When it was asked for last; null where nobody asked for it yet. */
  readonly requested_at: Timestamp | null
  /** When the last document was read; null while it runs or nobody asked for it. */
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
  /** `resolved`: it says which side holds. `dismissed`: it says that there is no contradiction. `reopened`: it takes an earlier decision back. */
  readonly outcome: "resolved" | "dismissed" | "reopened"
  /** Which side holds; null unless the outcome is `resolved`. */
  readonly holds: Holds | null
  readonly decided_by: DecidedBy
  /** Prefix of the key that was used, or who else it was. Null where nobody asked for it. */
  readonly actor: string | null
  /** The person who was named as the one who decided; null where nobody was named. */
  readonly by: string | null
  /** Why, in the words of whoever decided; null where no reason was given. */
  readonly reason: string | null
  readonly decision_id: DecisionId
  readonly decided_at: Timestamp
}

export type ResolutionBody = {
  /** Close it and say which side holds. */
  readonly outcome: "resolved"
  readonly holds: Holds
  /** The person who decided, where it is not the key alone that stands for it. */
  readonly by?: string
  /** Why. */
  readonly reason: string
} | {
  /** Close it because it is no contradiction. */
  readonly outcome: "dismissed"
  /** The person who decided, where it is not the key alone that stands for it. */
  readonly by?: string
  /** Why. */
  readonly reason: string
} | {
  /** Open it again because the earlier decision no longer stands. */
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
  /** All of the key before its secret; safe to log. */
  readonly key_prefix: string
  /** When the key stops working; null where it never expires. */
  readonly expires_at: Timestamp | null
  /** What happened, for people to read; the wording may change. */
  readonly message: string
  readonly replaces: KeyId
  readonly replaced_expires_at: Timestamp
}

export interface Runtime {
  readonly level: RuntimeLevel
  /** The tenant that the switch covers; null where it covers the whole service. */
  readonly tenant_id: TenantId | null
  /** The scope that the switch covers; null where it covers a tenant or the whole service. */
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
  /** Prefix of the key that moved the switch last; null while nobody has moved it. */
  readonly changed_by: string | null
}

export interface RuntimeBody {
  /** Only this scope; everything that the credentials cover when left out. */
  readonly scope_id?: ScopeId
}

/** What the switch covers: the whole service, one tenant or one scope. */
export type RuntimeLevel = "service" | "tenant" | "scope"

/** `running`: documents are processed. `paused`: nothing new starts, and work in flight finishes. `stopped`: nothing new starts, and results of work in flight are refused. */
export type RuntimeState = "running" | "paused" | "stopped"

export interface ScalingDecision {
  /** When the number of workers was changed. */
  readonly at: Timestamp
  /** Workers wanted before. */
  readonly from: number
  /** Workers wanted from then on. */
  readonly to: number
  /** Why the number was changed, as a stable word. */
  readonly reason: string
}

export interface Scope {
  readonly scope_id: ScopeId
  /** What people call the scope; null where it was made without a name. */
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
  /** How many things keep the scope from being settled, also those beyond the ones that are listed. */
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
  /** Width of each point. */
  readonly step: "1m" | "5m" | "15m" | "1h" | "1d"
  /** One point for each step, oldest first. */
  readonly points: readonly MetricsPoint[]
}

/** Whether documents of the scope are processed now. */
export interface ScopeRuntime {
  /** Of the switch of this scope. */
  readonly own: RuntimeState
  /** Of the strictest switch that applies to it. */
  readonly effective: RuntimeState
  /** Raised by every restart of this scope. */
  readonly generation: number
}

/** The scope at a glance. */
export interface ScopeSummary {
  readonly scope_id: ScopeId
  /** What people call the scope; null where it was made without a name. */
  readonly display_name: string | null
  /** Generation of the scope; a reset raises it. */
  readonly epoch: number
  readonly created_at: Timestamp
  readonly runtime: ScopeRuntime
  /** How many documents the scope has, in all and by status. */
  readonly documents: {
    /** All documents, those included of which only the mark is left. */
    readonly total: number
    readonly by_status: DocumentsByStatus
    /** Since when the one waits that has waited longest; null while none does. */
    readonly oldest_queued_at: Timestamp | null
  }
  /** How many claims were found. */
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

/** How much it matters if it is a contradiction; while one of severity `high` or `critical` is open, the scope is `contested`. */
export type Severity = "low" | "medium" | "high" | "critical"

/** SHA-256, in hexadecimal digits. */
export type Sha256 = string

/** What is being done to a document in `processing`, in this order. */
export type Stage = "read" | "compare" | "govern" | "settle"

/** `degraded`: serving, but a part that carries (not decides) is missing. `unavailable`: not serving. */
export type Status = "ok" | "degraded" | "unavailable"

export interface Tenant {
  readonly tenant_id: TenantId
  /** What people call the tenant. */
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
  /** The tier of the key that was sent; null where none is known. */
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
  /** Position of the last `document.queued` in the log; null when nothing was queued. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "claims.extracted"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "comparison.cut"
  /** Where it happened, with ids, counts and kinds; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
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
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "comparison.held"
  /** Where it happened, with ids, counts and kinds; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    /** No policy permits that a document of the comparison is sent to the language model (`not_permitted`), or the token budget of the tenant is used up (`over_budget`). */
    readonly reason: "not_permitted" | "over_budget"
  }
}

export interface ComparisonReleasedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "comparison.released"
  /** Where it happened, with ids, counts and kinds; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    /** No policy permits that a document of the comparison is sent to the language model (`not_permitted`), or the token budget of the tenant is used up (`over_budget`). */
    readonly reason: "not_permitted" | "over_budget"
  }
}

export interface ContradictionChangedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "contradiction.changed"
  /** Where it happened, with ids, counts and kinds; never content. */
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
    /** Of both sides, where they are known. */
    readonly document_ids: readonly DocumentId[]
  }
}

export interface ContradictionDismissedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "contradiction.dismissed"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "contradiction.opened"
  /** Where it happened, with ids, counts and kinds; never content. */
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
    /** Of both sides, where they are known. */
    readonly document_ids: readonly DocumentId[]
    /** Both sides are of one document. */
    readonly internal: boolean
    /** Left out for one that is open. One that is found again stands as it was decided before. */
    readonly status?: ContradictionStatus
  }
}

export interface ContradictionReopenedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "contradiction.reopened"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "contradiction.resolved"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "contradiction.withdrawn"
  /** Where it happened, with ids, counts and kinds; never content. */
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
    /** Of both sides, where they are known. */
    readonly document_ids: readonly DocumentId[]
    /** A document of it has a newer version or was read again (`replaced`), or was removed (`removed`); or both documents are as they were, and what else is compared says something else of them (`outranked`); a new document alone never does that. */
    readonly reason: "replaced" | "removed" | "outranked"
  }
}

export interface ConvergenceChangedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "convergence.changed"
  /** Where it happened, with ids, counts and kinds; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    /** How settled the scope is, from 0 to 1. */
    readonly score: number
    readonly state: ConvergenceState
    /** How many things keep the scope from being settled. */
    readonly blockers: number
  }
}

export interface DecisionMadeEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "decision.made"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "dependency.lost"
  /** Where it happened, with ids, counts and kinds; never content. */
  readonly data: {
    readonly dependency: Dependency
  }
}

export interface DependencyRestoredEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "dependency.restored"
  /** Where it happened, with ids, counts and kinds; never content. */
  readonly data: {
    readonly dependency: Dependency
    /** How long it was away. */
    readonly lost_for_ms: number
  }
}

export interface DocumentAttachedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "document.attached"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "document.failed"
  /** Where it happened, with ids, counts and kinds; never content. */
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
    /** Which attempt on this version it is; the first is 1. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "document.held"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "document.processed"
  /** Where it happened, with ids, counts and kinds; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly document_id: DocumentId
    /** The version of the document; 0 while there is no text. */
    readonly version: number
    /** Which attempt on this version it is; the first is 1. */
    readonly attempt: number
    /** Passages that were found in the text. */
    readonly passages: number
    /** Sentences that were found in the text. */
    readonly sentences: number
    /** How much of it was read, and what was not and why. */
    readonly reading: Reading
  }
}

export interface DocumentProcessingEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "document.processing"
  /** Where it happened, with ids, counts and kinds; never content. */
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
    /** Which attempt on this version it is; the first is 1. */
    readonly attempt: number
  }
}

export interface DocumentQueuedEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "document.queued"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "document.registered"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "document.removed"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "document.superseded"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "runtime.changed"
  /** Where it happened, with ids, counts and kinds; never content. */
  readonly data: {
    /** The tenant; null where the switch of the whole service was moved. */
    readonly tenant_id: TenantId | null
    /** The scope; null where a switch above it was moved. */
    readonly scope_id: ScopeId | null
    /** The generation of the scope; null where a switch above a scope was moved. */
    readonly epoch: number | null
    /** The position in the scope's log; null where a switch above a scope was moved. */
    readonly seq: Seq | null
    /** Which switch was moved. */
    readonly level: RuntimeLevel
    /** Where the switch stands now. */
    readonly state: RuntimeState
    /** Where the strictest switch stands that applies here. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "scaling.decided"
  /** Where it happened, with ids, counts and kinds; never content. */
  readonly data: {
    /** What the workers do; those that read and compare documents have the role `worker`. */
    readonly role: string
    /** Workers wanted before. */
    readonly from: number
    /** Workers wanted from now on. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "scope.created"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "scope.declared"
  /** Where it happened, with ids, counts and kinds; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly certificate_id: CertificateId
    /** Place of the certificate in the chain of the scope; the first is 1. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "scope.reopened"
  /** Where it happened, with ids, counts and kinds; never content. */
  readonly data: {
    readonly tenant_id: TenantId
    readonly scope_id: ScopeId
    /** The generation of the scope; a reset raises it. */
    readonly epoch: number
    readonly seq: Seq
    readonly certificate_id: CertificateId
    /** Place of the certificate in the chain of the scope; the first is 1. */
    readonly number: number
    /** The position at which the scope was settled. */
    readonly log_position: Seq
    /** Where in the log new evidence came. */
    readonly reopened_at: Seq
  }
}

export interface ScopeResetEvent {
  /** The version of CloudEvents that the event follows. */
  readonly specversion: "1.0"
  /** Unique with `source`: the position in the log of the source. */
  readonly id: string
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "scope.reset"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "worker.hatched"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "worker.lost"
  /** Where it happened, with ids, counts and kinds; never content. */
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
  /** The log that tells of it. */
  readonly source: string
  /** The id of what it happened to. */
  readonly subject: string
  readonly time: Timestamp
  /** What happened; it decides what `data` holds. */
  readonly type: "worker.retired"
  /** Where it happened, with ids, counts and kinds; never content. */
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

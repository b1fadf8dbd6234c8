// Written by `node tools/write-client.ts` from contract/openapi.json. Do not edit.
import type { Call, ListCall, StreamCall } from '../calls.ts'
import type {
  AttachDocumentBody,
  CertificateKeys,
  Claim,
  ClaimKind,
  Contradiction,
  ContradictionId,
  ContradictionKind,
  ContradictionOrder,
  ContradictionStatus,
  ControlPlaneHealth,
  Convergence,
  CreateContradictionBody,
  CreateDocumentBody,
  CreateOwnScopeBody,
  CreateScopeBody,
  CreateTenantRequest,
  CreateTenantResponse,
  DecidedBy,
  Decision,
  DeclareSettledBody,
  DeletedScope,
  Document,
  DocumentDetail,
  DocumentId,
  DocumentOrder,
  DocumentRemovals,
  DocumentRemovalsBody,
  DocumentRetries,
  DocumentRetriesBody,
  DocumentStatus,
  DocumentText,
  EvidenceLeaf,
  FileType,
  HatcherySnapshot,
  HealthResponse,
  IngestBatchRequest,
  IngestBatchResponse,
  IngestDocumentRequest,
  IngestDocumentResponse,
  IngestFileResponse,
  IssueKeyBody,
  IssuedCertificate,
  IssuedKey,
  KernelHealth,
  Key,
  KeyId,
  ListedScope,
  Liveness,
  Policy,
  PolicyPoint,
  PutPolicyBody,
  Readiness,
  Relation,
  ReleaseBody,
  ReleasedDocument,
  RemovedDocument,
  RequeuedDocument,
  Reread,
  RereadBody,
  ResetScope,
  ResolutionBody,
  RotateKeyBody,
  RotatedKey,
  Runtime,
  RuntimeBody,
  Scope,
  ScopeConvergence,
  ScopeId,
  ScopeMetrics,
  ScopeSummary,
  Severity,
  Tenant,
  TenantId,
  TierHealthResponse,
  Timestamp,
  TriggerIngestBody,
  TriggerIngestResponse,
  UpdateDocumentBody,
  ClaimsExtractedEvent,
  ComparisonCutEvent,
  ComparisonHeldEvent,
  ComparisonReleasedEvent,
  ContradictionChangedEvent,
  ContradictionDismissedEvent,
  ContradictionOpenedEvent,
  ContradictionReopenedEvent,
  ContradictionResolvedEvent,
  ContradictionWithdrawnEvent,
  ConvergenceChangedEvent,
  DecisionMadeEvent,
  DependencyLostEvent,
  DependencyRestoredEvent,
  DocumentAttachedEvent,
  DocumentFailedEvent,
  DocumentHeldEvent,
  DocumentProcessedEvent,
  DocumentProcessingEvent,
  DocumentQueuedEvent,
  DocumentRegisteredEvent,
  DocumentRemovedEvent,
  DocumentSupersededEvent,
  RuntimeChangedEvent,
  ScalingDecidedEvent,
  ScopeCreatedEvent,
  ScopeDeclaredEvent,
  ScopeReopenedEvent,
  ScopeResetEvent,
  WorkerHatchedEvent,
  WorkerLostEvent,
  WorkerRetiredEvent,
} from './schemas.ts'

export type GetReferenceInput = Readonly<Record<string, never>>

export type GetLivenessInput = Readonly<Record<string, never>>

export type GetOpenApiInput = Readonly<Record<string, never>>

export type DescribeProblemInput = {
  /** The `code` of the problem. */
  readonly code: string
}

export type GetReadinessInput = Readonly<Record<string, never>>

export type ListCertificateKeysInput = Readonly<Record<string, never>>

export type ReportContradictionInput = CreateContradictionBody

export type RegisterDocumentInput = CreateDocumentBody

export type GetPublicHealthInput = Readonly<Record<string, never>>

export type IngestDocumentInput = IngestDocumentRequest

export type IngestBatchInput = IngestBatchRequest

export type ListOwnScopesInput = {
  /** Maximum number of items on a page. Default: `50`. */
  readonly limit?: number
  /** Opaque position in the list: `next_cursor` of the previous page. */
  readonly cursor?: string
}

export type CreateOwnScopeInput = CreateOwnScopeBody

export type GetOwnScopeInput = {
  readonly scopeId: ScopeId
}

export type GetCertificateInput = {
  readonly scopeId: ScopeId
}

export type DeclareSettledInput = {
  readonly scopeId: ScopeId
} & Partial<DeclareSettledBody>

export type ListCertificateEvidenceInput = {
  readonly scopeId: ScopeId
  /** Maximum number of items on a page. Default: `50`. */
  readonly limit?: number
  /** Opaque position in the list: `next_cursor` of the previous page. */
  readonly cursor?: string
}

export type ListCertificatesInput = {
  readonly scopeId: ScopeId
  /** Maximum number of items on a page. Default: `50`. */
  readonly limit?: number
  /** Opaque position in the list: `next_cursor` of the previous page. */
  readonly cursor?: string
}

export type ListClaimsInput = {
  readonly scopeId: ScopeId
  /** Maximum number of items on a page. Default: `50`. */
  readonly limit?: number
  /** Opaque position in the list: `next_cursor` of the previous page. */
  readonly cursor?: string
  /** Only claims of this document. */
  readonly document_id?: DocumentId
  /** Only claims of this kind. */
  readonly kind?: ClaimKind
  /** Only claims where each of these words is the beginning of a word of the quote, the entity, the attribute, the qualifiers or the value, ignoring case and accents. */
  readonly q?: string
  /** Only claims where each of these words is the beginning of a word of the entity, ignoring case and accents. */
  readonly entity?: string
  /** Only claims where each of these words is the beginning of a word of the attribute, ignoring case and accents. */
  readonly attribute?: string
  /** Only claims about a period that overlaps this one: a year, a half, a quarter, a month, a day, or the first and the last day separated by a slash. */
  readonly period?: string
}

export type ListContradictionsInput = {
  readonly scopeId: ScopeId
  /** Maximum number of items on a page. Default: `50`. */
  readonly limit?: number
  /** Opaque position in the list: `next_cursor` of the previous page. */
  readonly cursor?: string
  /** Only items in one of these statuses. */
  readonly status?: ContradictionStatus | readonly ContradictionStatus[]
  /** Only contradictions of one of these severities. */
  readonly severity?: Severity | readonly Severity[]
  /** Only contradictions of this relation. */
  readonly relation?: Relation
  /** Only contradictions of this kind. */
  readonly kind?: ContradictionKind
  /** Only contradictions with a side in this document. */
  readonly document_id?: DocumentId
  /** Default: `"newest"`. */
  readonly order?: ContradictionOrder
}

export type GetContradictionInput = {
  readonly scopeId: ScopeId
  readonly contradictionId: ContradictionId
}

export type ResolveContradictionInput = {
  readonly scopeId: ScopeId
  readonly contradictionId: ContradictionId
} & ResolutionBody

export type GetOwnScopeConvergenceInput = {
  readonly scopeId: ScopeId
}

export type ListDecisionsInput = {
  readonly scopeId: ScopeId
  /** Maximum number of items on a page. Default: `50`. */
  readonly limit?: number
  /** Opaque position in the list: `next_cursor` of the previous page. */
  readonly cursor?: string
  /** Only decisions about this contradiction. */
  readonly contradiction_id?: ContradictionId
  /** Only decisions that name this document. */
  readonly document_id?: DocumentId
  /** Only decisions at this point. */
  readonly point?: PolicyPoint
  /** Only decisions that a policy, a person or later evidence made. */
  readonly decided_by?: DecidedBy
}

export type RemoveDocumentsInput = {
  readonly scopeId: ScopeId
} & DocumentRemovalsBody

export type RetryDocumentsInput = {
  readonly scopeId: ScopeId
} & DocumentRetriesBody

export type ListDocumentsInput = {
  readonly scopeId: ScopeId
  /** Maximum number of items on a page. Default: `50`. */
  readonly limit?: number
  /** Opaque position in the list: `next_cursor` of the previous page. */
  readonly cursor?: string
  /** Only items in one of these statuses. */
  readonly status?: DocumentStatus | readonly DocumentStatus[]
  /** Only documents whose name starts with this text, ignoring case. */
  readonly name?: string
  /** Only documents of exactly this type. */
  readonly type?: string
  /** Only documents whose source starts with this text, ignoring case. */
  readonly source?: string
  /** Only documents with exactly this tag. */
  readonly tag?: string
  /** Only documents whose metadata has exactly this value under this key: `key:value`. */
  readonly metadata?: string
  /** Only documents that changed at this instant or later. */
  readonly updated_since?: Timestamp
  /** Default: `"id"`. */
  readonly order?: DocumentOrder
}

export type RemoveDocumentInput = {
  readonly scopeId: ScopeId
  readonly documentId: DocumentId
}

export type GetDocumentInput = {
  readonly scopeId: ScopeId
  readonly documentId: DocumentId
  /** Maximum number of items on a page. Default: `20`. */
  readonly versions_limit?: number
  /** `next_versions_cursor` of the previous page. */
  readonly versions_cursor?: string
}

export type UpdateDocumentInput = {
  readonly scopeId: ScopeId
  readonly documentId: DocumentId
} & UpdateDocumentBody

export type ReleaseDocumentInput = {
  readonly scopeId: ScopeId
  readonly documentId: DocumentId
} & ReleaseBody

export type RetryDocumentInput = {
  readonly scopeId: ScopeId
  readonly documentId: DocumentId
}

export type GetDocumentTextInput = {
  readonly scopeId: ScopeId
  readonly documentId: DocumentId
  /** The first character, counted in code points from 0. 0 when left out. */
  readonly start?: number
  /** The offset after the last character, at most 20000 after `start`. The default is as far as possible. */
  readonly end?: number
  /** The default is the newest version. */
  readonly version?: number
}

export type StreamOwnScopeEventsInput = {
  readonly scopeId: ScopeId
  /** Begin after this position. Last-Event-ID takes precedence if you send both. */
  readonly after?: number
}

export type ExportScopeInput = {
  readonly scopeId: ScopeId
}

export type IngestFileInput = {
  readonly scopeId: ScopeId
  /** Display name of the document. */
  readonly name: string
  readonly type?: FileType
  /** Generated if omitted. */
  readonly document_id?: DocumentId
  /** Where the document comes from. Stored as text, never fetched. */
  readonly source?: string
  /** Tags to filter documents by; at most 20, each once. Tags and metadata replace those of the document if you send either. */
  readonly tags?: string | readonly string[]
  /** Your own name-value pairs; at most 20. As a JSON object. */
  readonly metadata?: Readonly<Record<string, string>>
} & {
  /** The bytes of the file. */
  readonly file: Uint8Array
}

export type GetOwnScopeMetricsInput = {
  readonly scopeId: ScopeId
  /** An hour before `to` when left out. With `Z` or an offset such as `+01:00`. */
  readonly from?: string
  /** Now when left out, and never later than now. With `Z` or an offset such as `+01:00`. */
  readonly to?: string
  /** Width of a point. A response has at most 1,000 points; points narrower than an hour are kept for eight days. Default: `"1m"`. */
  readonly step?: "1m" | "5m" | "15m" | "1h" | "1d"
}

export type GetOwnScopeReportInput = {
  readonly scopeId: ScopeId
  /** The format of the file: a self-contained HTML page, Markdown, CSV with a line for each contradiction, JSON, or Word. Default: `"html"`. */
  readonly format?: "html" | "md" | "csv" | "json" | "docx"
}

export type GetRereadInput = {
  readonly scopeId: ScopeId
}

export type RereadScopeInput = {
  readonly scopeId: ScopeId
} & Partial<RereadBody>

export type GetAdminControlPlaneHealthInput = Readonly<Record<string, never>>

export type GetAdminHealthInput = Readonly<Record<string, never>>

export type RemovePolicyInput = Readonly<Record<string, never>>

export type GetPolicyInput = Readonly<Record<string, never>>

export type PutPolicyInput = PutPolicyBody

export type PauseRuntimeInput = Partial<RuntimeBody>

export type RestartRuntimeInput = Partial<RuntimeBody>

export type ResumeRuntimeInput = Partial<RuntimeBody>

export type StartRuntimeInput = Partial<RuntimeBody>

export type StopRuntimeInput = Partial<RuntimeBody>

export type ListScopesInput = {
  /** Maximum number of items on a page. Default: `50`. */
  readonly limit?: number
  /** Opaque position in the list: `next_cursor` of the previous page. */
  readonly cursor?: string
}

export type CreateScopeInput = CreateScopeBody

export type DeleteScopeInput = {
  readonly scopeId: ScopeId
}

export type AttachDocumentInput = {
  readonly scopeId: ScopeId
} & AttachDocumentBody

export type StreamScopeEventsInput = {
  readonly scopeId: ScopeId
  /** Begin after this position. Last-Event-ID takes precedence if you send both. */
  readonly after?: number
}

export type TriggerIngestInput = {
  readonly scopeId: ScopeId
} & Partial<TriggerIngestBody>

export type GetScopeMetricsInput = {
  readonly scopeId: ScopeId
  /** An hour before `to` when left out. With `Z` or an offset such as `+01:00`. */
  readonly from?: string
  /** Now when left out, and never later than now. With `Z` or an offset such as `+01:00`. */
  readonly to?: string
  /** Width of a point. A response has at most 1,000 points; points narrower than an hour are kept for eight days. Default: `"1m"`. */
  readonly step?: "1m" | "5m" | "15m" | "1h" | "1d"
}

export type RemoveScopePolicyInput = {
  readonly scopeId: ScopeId
}

export type GetScopePolicyInput = {
  readonly scopeId: ScopeId
}

export type PutScopePolicyInput = {
  readonly scopeId: ScopeId
} & PutPolicyBody

export type ResetScopeInput = {
  readonly scopeId: ScopeId
}

export type GetScopeSummaryInput = {
  readonly scopeId: ScopeId
}

export type ListTenantsInput = {
  /** Maximum number of items on a page. Default: `50`. */
  readonly limit?: number
  /** Opaque position in the list: `next_cursor` of the previous page. */
  readonly cursor?: string
}

export type CreateTenantInput = CreateTenantRequest

export type GetTenantInput = {
  readonly tenantId: TenantId
}

export type ListTenantKeysInput = {
  readonly tenantId: TenantId
  /** Maximum number of items on a page. Default: `50`. */
  readonly limit?: number
  /** Opaque position in the list: `next_cursor` of the previous page. */
  readonly cursor?: string
}

export type IssueTenantKeyInput = {
  readonly tenantId: TenantId
} & Partial<IssueKeyBody>

export type GetTenantKeyInput = {
  readonly tenantId: TenantId
  readonly keyId: KeyId
}

export type RevokeTenantKeyInput = {
  readonly tenantId: TenantId
  readonly keyId: KeyId
}

export type RotateTenantKeyInput = {
  readonly tenantId: TenantId
  readonly keyId: KeyId
} & Partial<RotateKeyBody>

export type GetControlPlaneHealthDeprecatedInput = Readonly<Record<string, never>>

export type GetKernelConvergenceDeprecatedInput = {
  /** Maximum number of items on a page. Default: `50`. */
  readonly limit?: number
  /** Opaque position in the list: `next_cursor` of the previous page. */
  readonly cursor?: string
  /** Only scopes of this tenant. */
  readonly tenant_id?: TenantId
  /** Only scopes with this id. */
  readonly scope_id?: ScopeId
}

export type StreamKernelEventsDeprecatedInput = {
  /** The `id` of an event of this stream, unchanged. */
  readonly after?: string
}

export type GetHatcherySnapshotDeprecatedInput = Readonly<Record<string, never>>

export type GetInternalsHealthInput = Readonly<Record<string, never>>

export type GetControlPlaneHealthInput = Readonly<Record<string, never>>

export type GetKernelConvergenceInput = {
  /** Maximum number of items on a page. Default: `50`. */
  readonly limit?: number
  /** Opaque position in the list: `next_cursor` of the previous page. */
  readonly cursor?: string
  /** Only scopes of this tenant. */
  readonly tenant_id?: TenantId
  /** Only scopes with this id. */
  readonly scope_id?: ScopeId
}

export type StreamKernelEventsInput = {
  /** The `id` of an event of this stream, unchanged. */
  readonly after?: string
}

export type GetHatcherySnapshotInput = Readonly<Record<string, never>>

export type GetKernelHealthInput = Readonly<Record<string, never>>

export type PauseTenantRuntimeInput = Partial<RuntimeBody>

export type RestartTenantRuntimeInput = Partial<RuntimeBody>

export type ResumeTenantRuntimeInput = Partial<RuntimeBody>

export type StartTenantRuntimeInput = Partial<RuntimeBody>

export type StopTenantRuntimeInput = Partial<RuntimeBody>

/** One method for each operation, by its name. */
export interface Methods {
  /**
   * Read the API reference as HTML.
   *
   * Rendered from /openapi.json. The page loads no external resources.
   *
   * @example
   * const page = await concord.getReference()
   * console.log(page.includes('<html'))
   */
  readonly getReference: Call<GetReferenceInput, string>

  /**
   * Check that the process is alive.
   *
   * Checks no dependency. Restart the process if this route stops answering.
   *
   * @example
   * const { status } = await concord.getLiveness()
   * console.log(status)
   */
  readonly getLiveness: Call<GetLivenessInput, Liveness>

  /**
   * Read the OpenAPI document.
   *
   * The contract of the routes that this process serves.
   *
   * @example
   * const document = await concord.getOpenApi()
   * console.log(document['openapi'])
   */
  readonly getOpenApi: Call<GetOpenApiInput, {
    /** The version of the OpenAPI specification that the document follows. */
    readonly openapi: string
    readonly [name: string]: unknown
  }>

  /**
   * Explain a problem code.
   *
   * The `type` of every problem document is the address of this route.
   *
   * Problems: `problem_not_found`.
   *
   * @example
   * const { title, detail } = await concord.describeProblem({ code: 'scope_not_found' })
   * console.log(`${title}. ${detail}`)
   */
  readonly describeProblem: Call<DescribeProblemInput, {
    /** The `code` of the problem. */
    readonly code: string
    /** The HTTP status of the problem. */
    readonly status: number
    /** What went wrong, in a few words. */
    readonly title: string
    /** What to do about it. */
    readonly detail: string
  }>

  /**
   * Check that the process is ready.
   *
   * Answers 503 while a required dependency is unavailable, and while the process drains.
   *
   * @example
   * const { status } = await concord.getReadiness()
   * console.log(status)
   */
  readonly getReadiness: Call<GetReadinessInput, Readiness>

  /**
   * List the public keys of certificates.
   *
   * Needs no credential. To check a certificate, use public keys that you obtained separately from it.
   *
   * @example
   * const { keys } = await concord.listCertificateKeys()
   * for (const { key_id, signs, public_key } of keys) console.log(key_id, signs, public_key)
   */
  readonly listCertificateKeys: Call<ListCertificateKeysInput, CertificateKeys>

  /**
   * Report a contradiction.
   *
   * For a person or another system. The same pair in either order is one record: the status is 201 for a new
   * one and 200 for an existing one, which stays unchanged; severity and note of the repeated request are
   * ignored. A source that is the id of a document, or the name of exactly one document, is linked to that
   * document.
   *
   * Problems: `scope_not_found`, `idempotency_key_reused`.
   *
   * @example
   * const { contradiction_id, status } = await concord.reportContradiction({
   *   scope_id: 'first-case',
   *   claim_a: 'The plant opened in March 2024.',
   *   source_a: 'Site visit',
   *   claim_b: 'The plant opened in May 2024.',
   *   source_b: 'report-2025',
   *   severity: 'medium',
   * })
   * console.log(contradiction_id, status)
   */
  readonly reportContradiction: Call<ReportContradictionInput, Contradiction>

  /**
   * Register a document without queueing it.
   *
   * Its status is `registered` without text and `attached` with it. Send text later under the same
   * document_id to attach it. The same request again returns the same record. Tags and metadata are set in
   * the same request. A `text` with HTML tags whose `type` is `html` is refused, as by ingestion.
   *
   * Problems: `scope_not_found`, `illegal_transition`, `idempotency_key_reused`.
   *
   * @example
   * const { document_id, status } = await concord.registerDocument({
   *   scope_id: 'first-case',
   *   name: 'Annual report 2024',
   *   provenance: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
   * })
   * console.log(document_id, status)
   */
  readonly registerDocument: Call<RegisterDocumentInput, Document>

  /**
   * Read the health of the service.
   *
   * Returns only a status, from a probe that runs in the background, so requests are cheap.
   *
   * @example
   * const { status } = await concord.getPublicHealth()
   * console.log(status)
   */
  readonly getPublicHealth: Call<GetPublicHealthInput, HealthResponse>

  /**
   * Queue a document for processing.
   *
   * A 202 means that the document is on disk and will reach a terminal status. The same request with the same
   * idempotency key returns the first response again; another payload under that key is refused. The same
   * text under the same document_id is not queued twice; other text creates a new version. A `text` with HTML
   * tags whose `type` is `html` is refused; send it as a file to POST /api/scopes/{scopeId}/files. An unknown
   * scope is refused, unless the operator has enabled automatic creation of scopes.
   *
   * Problems: `scope_not_found`, `idempotency_key_reused`.
   *
   * @example
   * const { document_id, seq } = await concord.ingestDocument({
   *   scope_id: 'first-case',
   *   document_id: 'audit-2025',
   *   name: 'Auditor’s letter',
   *   text: 'Borealis Ltd had revenue of EUR 12.4m in 2025.',
   * })
   * console.log(`${document_id} is stored, at ${seq} in the log`)
   */
  readonly ingestDocument: Call<IngestDocumentInput, IngestDocumentResponse>

  /**
   * Queue up to 100 documents.
   *
   * Each document is accepted or refused by itself, as by POST /api/ingest, and has its own result. A
   * document that breaks its schema is refused with `validation_failed`. The whole body is refused if it is
   * not a list of 1 to 100 documents.
   *
   * @example
   * const { results } = await concord.ingestBatch({
   *   documents: [
   *     { scope_id: 'first-case', name: 'Minutes, page 1', text: 'The board met on 3 May 2025.' },
   *     { scope_id: 'first-case', name: 'Minutes, page 2', text: 'The board met on 4 May 2025.' },
   *   ],
   * })
   * for (const result of results) {
   *   if (result.accepted) console.log(result.document.document_id)
   *   else console.log(result.problem.code)
   * }
   */
  readonly ingestBatch: Call<IngestBatchInput, IngestBatchResponse>

  /**
   * List your scopes.
   *
   * In the order of their ids, each with its runtime and its documents by status.
   *
   * @example
   * for await (const { scope_id, documents } of concord.listOwnScopes.all())
   *   console.log(scope_id, documents.total)
   */
  readonly listOwnScopes: ListCall<ListOwnScopesInput, {
    /** The items of this page, in the order of the list. */
    readonly items: readonly ListedScope[]
    /** Send it as `cursor` for the next page; null on the last page. */
    readonly next_cursor: string | null
  }, ListedScope>

  /**
   * Create a scope of your own.
   *
   * The scope gets its own data key, which seals all its content. An administrator can write policies for it
   * later.
   *
   * Problems: `scope_exists`, `idempotency_key_reused`.
   *
   * @example
   * const { scope_id } = await concord.createOwnScope({
   *   scope_id: 'harbour-lease',
   *   display_name: 'Lease of the harbour office',
   * })
   * console.log(scope_id)
   */
  readonly createOwnScope: Call<CreateOwnScopeInput, Scope>

  /**
   * Read one of your scopes.
   *
   * The same as the summary for administrators: runtime, documents by status, the time since which the oldest
   * one waits, the last position of the log. A scope of another tenant gets the same response as one that
   * does not exist.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { contradictions, reading } = await concord.getOwnScope({ scopeId: 'first-case' })
   * console.log(contradictions.total, reading.characters_read, reading.characters, reading.claims_compared)
   */
  readonly getOwnScope: Call<GetOwnScopeInput, ScopeSummary, ScopeSummary | undefined>

  /**
   * Read the newest certificate of a scope.
   *
   * `current` says whether the evidence is still what was certified; the certificate itself cannot.
   *
   * Problems: `scope_not_found`, `certificate_not_found`.
   *
   * @example
   * try {
   *   const { current, reopened_at } = await concord.getCertificate({ scopeId: 'first-case' })
   *   console.log(current ? 'nothing new' : `new evidence at ${reopened_at}`)
   * } catch (error) {
   *   if (!isProblem(error, 'certificate_not_found')) throw error
   *   console.log('never declared settled')
   * }
   */
  readonly getCertificate: Call<GetCertificateInput, IssuedCertificate>

  /**
   * Declare a scope settled.
   *
   * The scope must have no contradiction that is open and no document that is unfinished, held or failed, and
   * policy must allow it. The default policy requires that a model has read everything and that all of it was
   * compared. The response is a certificate: a signed statement over the evidence, the policies, the scores,
   * what was read and compared, the position in the log and the previous certificate. While neither evidence
   * nor policies have changed, the response is the existing certificate (200).
   *
   * Problems: `scope_not_found`, `not_settled`, `refused_by_policy`, `idempotency_key_reused`.
   *
   * @example
   * try {
   *   const { certificate } = await concord.declareSettled({
   *     scopeId: 'first-case',
   *     reason: 'All is resolved.',
   *   })
   *   console.log(certificate.about.number, certificate.evidence.root)
   *   if (certificate.format === 'concord-certificate/2') console.log(certificate.reading.coverage)
   * } catch (error) {
   *   if (!isProblem(error, 'not_settled', 'refused_by_policy')) throw error
   *   for (const { pointer, message } of error.errors) console.log(pointer, message)
   * }
   */
  readonly declareSettled: Call<DeclareSettledInput, IssuedCertificate>

  /**
   * List the evidence of the newest certificate.
   *
   * The leaves of its Merkle tree in their order: documents, claims, contradictions, decisions. After newer
   * evidence has arrived, the certified evidence can no longer be listed.
   *
   * Problems: `scope_not_found`, `certificate_not_found`, `certificate_outdated`.
   *
   * @example
   * try {
   *   for await (const { hash, leaf } of concord.listCertificateEvidence.all({ scopeId: 'first-case' })) {
   *     console.log(leaf.type, hash)
   *   }
   * } catch (error) {
   *   if (!isProblem(error, 'certificate_not_found')) throw error
   *   console.log('nothing is certified')
   * }
   */
  readonly listCertificateEvidence: ListCall<ListCertificateEvidenceInput, {
    /** The items of this page, in the order of the list. */
    readonly items: readonly EvidenceLeaf[]
    /** Send it as `cursor` for the next page; null on the last page. */
    readonly next_cursor: string | null
  }, EvidenceLeaf>

  /**
   * List the certificates of a scope.
   *
   * The chain of certificates, oldest first. Each names the previous one and the position at which new
   * evidence arrived.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * for await (const { certificate, hash } of concord.listCertificates.all({ scopeId: 'first-case' })) {
   *   console.log(certificate.about.number, certificate.about.issued_at, hash)
   * }
   */
  readonly listCertificates: ListCall<ListCertificatesInput, {
    /** The items of this page, in the order of the list. */
    readonly items: readonly IssuedCertificate[]
    /** Send it as `cursor` for the next page; null on the last page. */
    readonly next_cursor: string | null
  }, IssuedCertificate>

  /**
   * List the claims of a scope.
   *
   * Claims of the current version of each document, in the order of document ids and, within a document, of
   * their offsets. Filters on words and times decrypt and compare at most 1,000 claims a request, so a page
   * may have fewer items than `limit`, or none, while `next_cursor` is not null: request the next page.
   *
   * Problems: `scope_not_found`, `document_not_found`.
   *
   * @example
   * for await (const claim of concord.listClaims.all({ scopeId: 'first-case', document_id: 'report-2025' })) {
   *   console.log(claim.entity, claim.attribute, claim.quote)
   * }
   */
  readonly listClaims: ListCall<ListClaimsInput, {
    /** The items of this page, in the order of the list. */
    readonly items: readonly Claim[]
    /** Send it as `cursor` for the next page; null on the last page. */
    readonly next_cursor: string | null
  }, Claim>

  /**
   * List the contradictions of a scope.
   *
   * Newest first, or the most severe first, each with both quotes and their offsets. A contradiction that was
   * withdrawn because a document was replaced or removed is not in the list.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * for await (const { severity, a, b } of concord.listContradictions.all({
   *   scopeId: 'first-case',
   *   status: 'open',
   *   order: 'severity',
   * })) {
   *   console.log(severity)
   *   console.log(`  ${a.source}: ${a.quote}`)
   *   console.log(`  ${b.source}: ${b.quote}`)
   * }
   */
  readonly listContradictions: ListCall<ListContradictionsInput, {
    /** The items of this page, in the order of the list. */
    readonly items: readonly Contradiction[]
    /** Send it as `cursor` for the next page; null on the last page. */
    readonly next_cursor: string | null
  }, Contradiction>

  /**
   * Read one contradiction.
   *
   * Both sides with their evidence, and the last decision.
   *
   * Problems: `scope_not_found`, `contradiction_not_found`.
   *
   * @example
   * for await (const { contradiction_id } of concord.listContradictions.all({ scopeId: 'first-case' })) {
   *   const { explanation } = await concord.getContradiction({
   *     scopeId: 'first-case',
   *     contradictionId: contradiction_id,
   *   })
   *   console.log(explanation)
   * }
   */
  readonly getContradiction: Call<GetContradictionInput, Contradiction, Contradiction | undefined>

  /**
   * Resolve, dismiss or reopen a contradiction.
   *
   * Send the reason, for a resolution the side that is right, and optionally the person who decided; the key
   * is always recorded. An open contradiction can be resolved or dismissed, a closed one reopened. The same
   * decision again changes nothing. If a contradiction was resolved in favour of a side and another document
   * contradicts that side, it is reopened automatically.
   *
   * Problems: `scope_not_found`, `contradiction_not_found`, `illegal_transition`, `idempotency_key_reused`.
   *
   * @example
   * for await (const { contradiction_id } of concord.listContradictions.all({ scopeId: 'first-case' })) {
   *   const { status } = await concord.resolveContradiction({
   *     scopeId: 'first-case',
   *     contradictionId: contradiction_id,
   *     outcome: 'resolved',
   *     holds: 'a',
   *     by: 'Ada Quist',
   *     reason: 'The report was corrected after the memo.',
   *   })
   *   console.log(status)
   * }
   */
  readonly resolveContradiction: Call<ResolveContradictionInput, Contradiction>

  /**
   * Read the convergence of one of your scopes.
   *
   * The score with its parts and its history, and each blocker that keeps the scope from being settled.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { state, score, blockers } = await concord.getOwnScopeConvergence({ scopeId: 'first-case' })
   * console.log(state, score, blockers.length)
   */
  readonly getOwnScopeConvergence: Call<GetOwnScopeConvergenceInput, Convergence>

  /**
   * List the decisions of a scope.
   *
   * Decisions of people, policies and evidence, newest first. Decisions are never changed. Those of a
   * contradiction are its complete history, also while it is withdrawn.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * for await (const { result, decided_by } of concord.listDecisions.all({ scopeId: 'first-case' })) {
   *   console.log(result, decided_by)
   * }
   */
  readonly listDecisions: ListCall<ListDecisionsInput, {
    /** The items of this page, in the order of the list. */
    readonly items: readonly Decision[]
    /** Send it as `cursor` for the next page; null on the last page. */
    readonly next_cursor: string | null
  }, Decision>

  /**
   * Remove up to 100 documents.
   *
   * Each document is removed or refused by itself, as by DELETE, and has its own result. If the time limit of
   * the request is too short, the remaining documents are refused with `unavailable`: send them again.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { removed, results } = await concord.removeDocuments({
   *   scopeId: 'first-case',
   *   document_ids: ['report-2024', 'report-2025'],
   * })
   * console.log(removed, results)
   */
  readonly removeDocuments: Call<RemoveDocumentsInput, DocumentRemovals>

  /**
   * Retry up to 100 documents.
   *
   * Send ids, or a status to retry the next documents that are `failed` or `held`. Each document is queued or
   * refused by itself, as by its own retry, and has its own result.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * let after: string | null | undefined
   * while (after !== null) {
   *   const answer = await concord.retryDocuments({
   *     scopeId: 'first-case',
   *     status: 'failed',
   *     ...(after && { after }),
   *   })
   *   console.log(`${answer.queued} queued again`)
   *   after = answer.next_after
   * }
   */
  readonly retryDocuments: Call<RetryDocumentsInput, DocumentRetries>

  /**
   * List the documents of a scope.
   *
   * In the order of their ids, or of their last change. Filters on name, type and source decrypt and compare
   * at most 2,000 documents a request, so a page may have fewer items than `limit`, or none, while
   * `next_cursor` is not null: request the next page.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const query = { scopeId: 'first-case', status: ['failed', 'held'], order: 'updated_desc' } as const
   * for await (const document of concord.listDocuments.all(query)) {
   *   console.log(document.document_id, document.error?.message ?? document.hold?.reason)
   * }
   */
  readonly listDocuments: ListCall<ListDocumentsInput, {
    /** The items of this page, in the order of the list. */
    readonly items: readonly Document[]
    /** Send it as `cursor` for the next page; null on the last page. */
    readonly next_cursor: string | null
  }, Document>

  /**
   * Remove a document.
   *
   * Deletes its text, readings, claims and contradictions in one transaction. Only its id and status remain.
   * If many claims of other documents have to be compared again, workers do this afterwards: meanwhile the
   * scope is `working`, and `comparisons_pending` is the number of comparisons left.
   *
   * Problems: `scope_not_found`, `document_not_found`.
   *
   * @example
   * const { removed } = await concord.removeDocument({ scopeId: 'first-case', documentId: 'report-2025' })
   * console.log(removed.versions)
   */
  readonly removeDocument: Call<RemoveDocumentInput, RemovedDocument>

  /**
   * Read the status of a document.
   *
   * Status, stage, attempts, the last error, and the newest versions; use `versions_cursor` for older ones.
   * To read the text, use the operation for it.
   *
   * Problems: `scope_not_found`, `document_not_found`.
   *
   * @example
   * const { status, reading, versions } = await concord.getDocument({
   *   scopeId: 'first-case',
   *   documentId: 'report-2025',
   * })
   * console.log(status, reading?.characters_read, reading?.characters, versions.length)
   */
  readonly getDocument: Call<GetDocumentInput, DocumentDetail, DocumentDetail | undefined>

  /**
   * Set tags and metadata of a document.
   *
   * Tags replace the existing tags. Metadata is merged, and null removes a name. Both are stored sealed,
   * apply to all versions, and are deleted with the document. Nothing is read or compared again.
   *
   * Problems: `scope_not_found`, `document_not_found`.
   *
   * @example
   * const { tags, metadata } = await concord.updateDocument({
   *   scopeId: 'first-case',
   *   documentId: 'report-2025',
   *   tags: ['report', '2025'],
   *   metadata: { counterparty: 'Borealis Ltd', draft: null },
   * })
   * console.log(tags, metadata)
   */
  readonly updateDocument: Call<UpdateDocumentInput, Document>

  /**
   * Release a held document.
   *
   * Send the person who releases it and the reason. The document is queued, and policy is not evaluated again
   * for this version; for a newer version it is.
   *
   * Problems: `scope_not_found`, `document_not_found`, `illegal_transition`, `idempotency_key_reused`.
   *
   * @example
   * try {
   *   await concord.releaseDocument({
   *     scopeId: 'first-case',
   *     documentId: 'report-2025',
   *     by: 'Ada Quist',
   *     reason: 'Checked by hand.',
   *   })
   * } catch (error) {
   *   if (!isProblem(error, 'illegal_transition')) throw error
   *   console.log('it is not held')
   * }
   */
  readonly releaseDocument: Call<ReleaseDocumentInput, ReleasedDocument>

  /**
   * Retry a document.
   *
   * Queues a `failed` or `held` document again; policy is evaluated again. No other status can be retried.
   *
   * Problems: `scope_not_found`, `document_not_found`, `illegal_transition`, `idempotency_key_reused`.
   *
   * @example
   * try {
   *   const { seq } = await concord.retryDocument({ scopeId: 'first-case', documentId: 'report-2025' })
   *   console.log(`queued again, at ${seq} in the log`)
   * } catch (error) {
   *   if (!isProblem(error, 'illegal_transition')) throw error
   *   console.log('it has not failed, so there is nothing to try again')
   * }
   */
  readonly retryDocument: Call<RetryDocumentInput, RequeuedDocument>

  /**
   * Read the text of a document.
   *
   * Returns a range of the text as you sent it, at most 20000 characters. Offsets count code points, like
   * those of quotes: the range from `start` to `end` of a claim is its quote.
   *
   * Problems: `scope_not_found`, `document_not_found`, `text_not_found`.
   *
   * @example
   * const place = { scopeId: 'first-case', documentId: 'report-2025' }
   * const { items } = await concord.listClaims({ scopeId: place.scopeId, document_id: place.documentId })
   * for (const { quote, start, end } of items) {
   *   const { text } = await concord.getDocumentText({ ...place, start, end })
   *   console.log(text === quote)
   * }
   */
  readonly getDocumentText: Call<GetDocumentTextInput, DocumentText>

  /**
   * Follow the events of one of your scopes.
   *
   * Every event of the scope in the order of its log, without gaps. A client that reconnects with
   * Last-Event-ID misses no event.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * for await (const event of concord.streamOwnScopeEvents({ scopeId: 'first-case', after: 0 })) {
   *   if (event.type === 'resync') console.log(`read the scope anew, then go on after ${event.head}`)
   *   else if (event.type === 'contradiction.opened') console.log(event.data.severity)
   *   else if (event.type === 'document.processed') break
   * }
   */
  readonly streamOwnScopeEvents: StreamCall<StreamOwnScopeEventsInput, DocumentRegisteredEvent | DocumentAttachedEvent | DocumentQueuedEvent | DocumentProcessingEvent | DocumentProcessedEvent | DocumentHeldEvent | DocumentFailedEvent | DocumentSupersededEvent | DocumentRemovedEvent | ClaimsExtractedEvent | ContradictionOpenedEvent | ContradictionChangedEvent | ContradictionWithdrawnEvent | ContradictionResolvedEvent | ContradictionDismissedEvent | ContradictionReopenedEvent | ComparisonCutEvent | ComparisonHeldEvent | ComparisonReleasedEvent | ConvergenceChangedEvent | DecisionMadeEvent | ScopeCreatedEvent | ScopeDeclaredEvent | ScopeReopenedEvent | ScopeResetEvent | RuntimeChangedEvent>

  /**
   * Export all records of a scope as NDJSON.
   *
   * One JSON object a line: `kind` is `document`, `claim`, `contradiction` or `decision`, and `record` is the
   * item of the list of that kind. The last line has the kind `end` and the counts; if it is missing, the
   * response is incomplete. The export reads a hundred records at a time, so a record that changes meanwhile
   * may be in it in its old or its new state.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const file = await concord.exportScope({ scopeId: 'first-case' })
   * const lines = (await file.text()).trimEnd().split('\n')
   * console.log(lines.length, lines.at(-1))
   */
  readonly exportScope: Call<ExportScopeInput, Blob>

  /**
   * Queue a file for processing.
   *
   * The body is the file: PDF, DOCX, XLSX, PPTX, HTML, Markdown, CSV, EML or plain text, up to 25 MiB and
   * 2,000,000 characters of text. The service extracts the text in a separate process before it responds, so
   * a file that cannot be read is refused at once with the reason in `errors`. A 202 means the same as for
   * POST /api/ingest: the text is on disk. Claims have the page, slide, cell or heading. Pages and slides
   * without text, and attachments, are listed in `unread`. The same text under the same document_id is not
   * queued twice; other text creates a new version. Tags and metadata in the query are set with the document,
   * also if its text was sent before.
   *
   * Problems: `scope_not_found`, `file_unreadable`, `idempotency_key_reused`.
   *
   * @example
   * const { document_id, type, characters, unread } = await concord.ingestFile({
   *   scopeId: 'first-case',
   *   name: 'sites.csv',
   *   tags: ['sites'],
   *   metadata: { matter: '7/2025' },
   *   file: new TextEncoder().encode('Site,Employees\nLund,240\nYork,120'),
   * })
   * console.log(`${document_id} is a ${type} of ${characters} characters, ${unread.length} parts unread`)
   */
  readonly ingestFile: Call<IngestFileInput, IngestFileResponse>

  /**
   * Read metrics of one of your scopes over time.
   *
   * Accepted, processed and failed documents, their waiting times and processing times, point by point. A
   * reset deletes the points.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { points } = await concord.getOwnScopeMetrics({ scopeId: 'first-case', step: '5m' })
   * for (const point of points) console.log(point)
   */
  readonly getOwnScopeMetrics: Call<GetOwnScopeMetricsInput, ScopeMetrics>

  /**
   * Write a report on a scope.
   *
   * One file: summary, history of the score, contradictions with both sides, decisions with their reasons,
   * read and unread parts. It has at most 500 contradictions, the most severe open ones first, and 1000
   * documents, together at most 4 MB of records, and states what it leaves out. Few reports are written at
   * the same time; one that waits for more than 5 s is refused (503).
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const report = await concord.getOwnScopeReport({ scopeId: 'first-case', format: 'md' })
   * console.log(report.type, await report.text())
   */
  readonly getOwnScopeReport: Call<GetOwnScopeReportInput, Blob>

  /**
   * Read the progress of a reread.
   *
   * The last reread that was requested.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { state, documents_read, documents_queued } = await concord.getReread({ scopeId: 'first-case' })
   * console.log(state, `${documents_read} of ${documents_queued}`)
   */
  readonly getReread: Call<GetRereadInput, Reread>

  /**
   * Read documents of a scope again.
   *
   * Queues processed documents, a hundred at a time, to be read by the reader that workers have now. Without
   * a body, these are the documents that another kind of reader read, or the same kind with another version
   * of its prompt. A document keeps its claims until it is read again. Contradictions between facts that are
   * still stated stay, with their decisions. While a reread runs, the same request changes nothing, and a
   * different one is refused.
   *
   * Problems: `scope_not_found`, `document_not_found`, `illegal_transition`, `idempotency_key_reused`.
   *
   * @example
   * const { state } = await concord.rereadScope({ scopeId: 'first-case', read_by: 'rules' })
   * console.log(state)
   */
  readonly rereadScope: Call<RereadScopeInput, Reread>

  /**
   * Health of the control plane, for administrators.
   *
   * Results of probes of database, broker, migrations and dispatcher, with their ages. The status code is
   * 503, with the same body, while the status is `degraded` or `unavailable`; for `paused` and `stopped` it
   * is 200. The route also answers while the database is unreachable.
   *
   * @example
   * const { status } = await concord.getAdminControlPlaneHealth()
   * console.log(status)
   */
  readonly getAdminControlPlaneHealth: Call<GetAdminControlPlaneHealthInput, ControlPlaneHealth>

  /**
   * Read the health with an admin key.
   *
   * `authTier` is the tier of the credential that was presented.
   *
   * @example
   * const { status, authTier } = await concord.getAdminHealth()
   * console.log(status, authTier)
   */
  readonly getAdminHealth: Call<GetAdminHealthInput, TierHealthResponse>

  /**
   * Delete the policies of the tenant.
   *
   * Creates a new, empty version; the other policies stay in force.
   *
   * @example
   * const { version } = await concord.removePolicy()
   * console.log(version)
   */
  readonly removePolicy: Call<RemovePolicyInput, Policy>

  /**
   * Read the policies of the tenant.
   *
   * The text in force, its author and time, and the built-in policies.
   *
   * @example
   * const { version, text } = await concord.getPolicy()
   * console.log(version, text)
   */
  readonly getPolicy: Call<GetPolicyInput, Policy>

  /**
   * Write the policies of the tenant.
   *
   * The text is checked against the schema first. It applies to every decision after the response, in every
   * process. The same text again changes nothing.
   *
   * Problems: `policy_invalid`.
   *
   * @example
   * const { version, policy_hash } = await concord.putPolicy({
   *   text: [
   *     '@id("no-drafts")',
   *     'forbid (principal, action == Concord::Action::"admit_document", resource)',
   *     'when { resource.type == "draft" };',
   *   ].join('\n'),
   * })
   * console.log(version, policy_hash)
   */
  readonly putPolicy: Call<PutPolicyInput, Policy>

  /**
   * Pause the runtime.
   *
   * No attempt starts after the response; work in flight finishes. Refused while stopped. Without body and
   * X-Tenant-API-Key, it applies to the whole service. With both `scope_id` and X-Tenant-API-Key, it applies
   * to that scope of the tenant. One without the other is refused.
   *
   * Problems: `scope_not_found`, `illegal_transition`.
   *
   * @example
   * const { state, effective_state } = await concord.pauseRuntime({ scope_id: 'first-case' })
   * console.log(state, effective_state)
   */
  readonly pauseRuntime: Call<PauseRuntimeInput, Runtime>

  /**
   * Restart the runtime.
   *
   * Stops, replaces the affected reading processes and starts, from any state. Raises the generation. Without
   * body and X-Tenant-API-Key, it applies to the whole service. With both `scope_id` and X-Tenant-API-Key, it
   * applies to that scope of the tenant. One without the other is refused.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { state, effective_state } = await concord.restartRuntime({ scope_id: 'first-case' })
   * console.log(state, effective_state)
   */
  readonly restartRuntime: Call<RestartRuntimeInput, Runtime>

  /**
   * Resume the runtime.
   *
   * Ends a pause. Refused while stopped; use start instead. Without body and X-Tenant-API-Key, it applies to
   * the whole service. With both `scope_id` and X-Tenant-API-Key, it applies to that scope of the tenant. One
   * without the other is refused.
   *
   * Problems: `scope_not_found`, `illegal_transition`.
   *
   * @example
   * const { state, effective_state } = await concord.resumeRuntime({ scope_id: 'first-case' })
   * console.log(state, effective_state)
   */
  readonly resumeRuntime: Call<ResumeRuntimeInput, Runtime>

  /**
   * Start the runtime.
   *
   * Starts work again, from paused and from stopped. Without body and X-Tenant-API-Key, it applies to the
   * whole service. With both `scope_id` and X-Tenant-API-Key, it applies to that scope of the tenant. One
   * without the other is refused.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { state, effective_state } = await concord.startRuntime({ scope_id: 'first-case' })
   * console.log(state, effective_state)
   */
  readonly startRuntime: Call<StartRuntimeInput, Runtime>

  /**
   * Stop the runtime.
   *
   * No attempt starts after the response; work in flight is put back into the queue, and its late results are
   * refused. Without body and X-Tenant-API-Key, it applies to the whole service. With both `scope_id` and
   * X-Tenant-API-Key, it applies to that scope of the tenant. One without the other is refused.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { state, effective_state } = await concord.stopRuntime({ scope_id: 'first-case' })
   * console.log(state, effective_state)
   */
  readonly stopRuntime: Call<StopRuntimeInput, Runtime>

  /**
   * List the scopes of the tenant whose key is sent.
   *
   * In the order of their ids, each with its runtime and its documents by status.
   *
   * @example
   * for await (const { scope_id, documents } of concord.listScopes.all()) console.log(scope_id, documents.total)
   */
  readonly listScopes: ListCall<ListScopesInput, {
    /** The items of this page, in the order of the list. */
    readonly items: readonly ListedScope[]
    /** Send it as `cursor` for the next page; null on the last page. */
    readonly next_cursor: string | null
  }, ListedScope>

  /**
   * Create a scope.
   *
   * The scope gets its own data key, which seals all its content. `policy` applies from its first document
   * on, as if you had written it for the scope right after creation.
   *
   * Problems: `scope_exists`, `policy_invalid`, `idempotency_key_reused`.
   *
   * @example
   * const { scope_id } = await concord.createScope({
   *   scope_id: 'borealis',
   *   display_name: 'Purchase of Borealis',
   * })
   * console.log(scope_id)
   */
  readonly createScope: Call<CreateScopeInput, Scope>

  /**
   * Delete a scope and everything in it.
   *
   * Like a reset, but the scope and its log are deleted too.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { removed } = await concord.deleteScope({ scopeId: 'first-case' })
   * console.log(removed)
   */
  readonly deleteScope: Call<DeleteScopeInput, DeletedScope>

  /**
   * Attach a document to a scope.
   *
   * It waits as `attached` until ingestion of the scope is triggered. A `text` with HTML tags whose `type` is
   * `html` is refused, as by ingestion. Tags and metadata are set in the same request.
   *
   * Problems: `scope_not_found`, `illegal_transition`, `idempotency_key_reused`.
   *
   * @example
   * const { status } = await concord.attachDocument({
   *   scopeId: 'first-case',
   *   name: 'Side letter',
   *   text: 'The purchase price is EUR 40m.',
   * })
   * console.log(status)
   */
  readonly attachDocument: Call<AttachDocumentInput, Document>

  /**
   * Follow the events of a scope.
   *
   * Every event of the scope in the order of its log, without gaps. A client that reconnects with
   * Last-Event-ID misses no event.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const stream = concord.streamScopeEvents({ scopeId: 'first-case', after: 0 })
   * for await (const event of stream) {
   *   console.log(event.type)
   *   if (event.type === 'document.processed') break
   * }
   * console.log(`go on later with after: ${stream.position}`)
   */
  readonly streamScopeEvents: StreamCall<StreamScopeEventsInput, DocumentRegisteredEvent | DocumentAttachedEvent | DocumentQueuedEvent | DocumentProcessingEvent | DocumentProcessedEvent | DocumentHeldEvent | DocumentFailedEvent | DocumentSupersededEvent | DocumentRemovedEvent | ClaimsExtractedEvent | ContradictionOpenedEvent | ContradictionChangedEvent | ContradictionWithdrawnEvent | ContradictionResolvedEvent | ContradictionDismissedEvent | ContradictionReopenedEvent | ComparisonCutEvent | ComparisonHeldEvent | ComparisonReleasedEvent | ConvergenceChangedEvent | DecisionMadeEvent | ScopeCreatedEvent | ScopeDeclaredEvent | ScopeReopenedEvent | ScopeResetEvent | RuntimeChangedEvent>

  /**
   * Queue the attached documents of a scope.
   *
   * Queues all of them, or those in `document_ids`. The operation is idempotent. A whole scope is queued
   * 2,000 documents at a time, so other events may lie between `first_seq` and `last_seq`.
   *
   * Problems: `scope_not_found`, `document_not_found`.
   *
   * @example
   * const { queued, last_seq } = await concord.triggerIngest({ scopeId: 'first-case' })
   * console.log(queued, last_seq)
   */
  readonly triggerIngest: Call<TriggerIngestInput, TriggerIngestResponse>

  /**
   * Read metrics of a scope over time.
   *
   * Accepted, processed and failed documents, their waiting times and processing times, point by point. A
   * reset deletes the points.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { points } = await concord.getScopeMetrics({ scopeId: 'first-case', step: '1h' })
   * for (const point of points) console.log(point)
   */
  readonly getScopeMetrics: Call<GetScopeMetricsInput, ScopeMetrics>

  /**
   * Delete the policies of a scope.
   *
   * Creates a new, empty version; the other policies stay in force.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { version } = await concord.removeScopePolicy({ scopeId: 'first-case' })
   * console.log(version)
   */
  readonly removeScopePolicy: Call<RemoveScopePolicyInput, Policy>

  /**
   * Read the policies of a scope.
   *
   * They are evaluated together with those of the tenant and the built-in ones.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { text, default_text } = await concord.getScopePolicy({ scopeId: 'first-case' })
   * console.log(text, default_text)
   */
  readonly getScopePolicy: Call<GetScopePolicyInput, Policy>

  /**
   * Write the policies of a scope.
   *
   * The text is checked against the schema first. It applies to every decision after the response, in every
   * process. The same text again changes nothing.
   *
   * Problems: `scope_not_found`, `policy_invalid`.
   *
   * @example
   * try {
   *   await concord.putScopePolicy({ scopeId: 'first-case', text: 'forbid everything' })
   * } catch (error) {
   *   if (!isProblem(error, 'policy_invalid')) throw error
   *   console.log(error.detail)
   * }
   */
  readonly putScopePolicy: Call<PutScopePolicyInput, Policy>

  /**
   * Reset a scope: erase all its content.
   *
   * Deletes all content and the data key of the scope, so the live keys can no longer decrypt copies of it.
   * The scope itself stays; work in flight has no effect on it. While a large scope is being erased, other
   * requests to it are answered 503 with Retry-After. After the 200 the scope is empty, and document ids and
   * idempotency keys can be used again.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { epoch, removed } = await concord.resetScope({ scopeId: 'first-case' })
   * console.log(epoch, removed)
   */
  readonly resetScope: Call<ResetScopeInput, ResetScope>

  /**
   * Read the summary of a scope.
   *
   * Runtime, documents by status, the time since which the oldest one waits, claims, contradictions,
   * convergence with its blockers, the last position of the log and the time of the last activity.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { runtime, documents } = await concord.getScopeSummary({ scopeId: 'first-case' })
   * console.log(runtime.effective, documents.total)
   */
  readonly getScopeSummary: Call<GetScopeSummaryInput, ScopeSummary, ScopeSummary | undefined>

  /**
   * List tenants.
   *
   * Oldest first, names only. To read the data of a tenant you also need its key.
   *
   * @example
   * for await (const { tenant_id, name } of concord.listTenants.all()) console.log(tenant_id, name)
   */
  readonly listTenants: ListCall<ListTenantsInput, {
    /** The items of this page, in the order of the list. */
    readonly items: readonly Tenant[]
    /** Send it as `cursor` for the next page; null on the last page. */
    readonly next_cursor: string | null
  }, Tenant>

  /**
   * Create a tenant and its first key.
   *
   * The key is shown in this response only, so an Idempotency-Key is refused.
   *
   * @example
   * const { tenant_id, key_prefix } = await concord.createTenant({ name: 'Acme Capital' })
   * console.log(tenant_id, key_prefix)
   */
  readonly createTenant: Call<CreateTenantInput, CreateTenantResponse>

  /**
   * Read one tenant.
   *
   * Name and age. To read the data of a tenant you also need its key.
   *
   * Problems: `tenant_not_found`.
   *
   * @example
   * const { tenant_id } = await concord.createTenant({ name: 'Acme Capital' })
   * const { created_at } = await concord.getTenant({ tenantId: tenant_id })
   * console.log(created_at)
   */
  readonly getTenant: Call<GetTenantInput, Tenant>

  /**
   * List the keys of a tenant.
   *
   * All keys, also expired and revoked ones, oldest first. Secrets are not stored, so they cannot be shown.
   *
   * Problems: `tenant_not_found`.
   *
   * @example
   * const { tenant_id } = await concord.createTenant({ name: 'Acme Capital' })
   * for await (const key of concord.listTenantKeys.all({ tenantId: tenant_id })) console.log(key.key_prefix)
   */
  readonly listTenantKeys: ListCall<ListTenantKeysInput, {
    /** The items of this page, in the order of the list. */
    readonly items: readonly Key[]
    /** Send it as `cursor` for the next page; null on the last page. */
    readonly next_cursor: string | null
  }, Key>

  /**
   * Issue another key to a tenant.
   *
   * The key is shown in this response only, so an Idempotency-Key is refused.
   *
   * Problems: `tenant_not_found`, `too_many_keys`.
   *
   * @example
   * const { tenant_id } = await concord.createTenant({ name: 'Acme Capital' })
   * const { key_id, api_key } = await concord.issueTenantKey({ tenantId: tenant_id, name: 'nightly job' })
   * console.log(key_id, api_key.length)
   */
  readonly issueTenantKey: Call<IssueTenantKeyInput, IssuedKey>

  /**
   * Read one key of a tenant.
   *
   * The record of the key, without its secret.
   *
   * Problems: `key_not_found`.
   *
   * @example
   * const { tenant_id } = await concord.createTenant({ name: 'Acme Capital' })
   * const { key_id } = await concord.issueTenantKey({ tenantId: tenant_id })
   * const { status, last_used_at } = await concord.getTenantKey({ tenantId: tenant_id, keyId: key_id })
   * console.log(status, last_used_at)
   */
  readonly getTenantKey: Call<GetTenantKeyInput, Key>

  /**
   * Revoke a key.
   *
   * Every process refuses the key within one second. The operation is idempotent.
   *
   * Problems: `key_not_found`.
   *
   * @example
   * const { tenant_id } = await concord.createTenant({ name: 'Acme Capital' })
   * const { key_id } = await concord.issueTenantKey({ tenantId: tenant_id })
   * const { revoked_at } = await concord.revokeTenantKey({ tenantId: tenant_id, keyId: key_id })
   * console.log(revoked_at)
   */
  readonly revokeTenantKey: Call<RevokeTenantKeyInput, Key>

  /**
   * Rotate a key.
   *
   * Both keys work until the overlap ends, so you can roll out the new key without downtime. The key is shown
   * once, so an Idempotency-Key is refused.
   *
   * Problems: `key_not_found`, `key_not_live`, `too_many_keys`.
   *
   * @example
   * const { tenant_id } = await concord.createTenant({ name: 'Acme Capital' })
   * const { key_id } = await concord.issueTenantKey({ tenantId: tenant_id })
   * const { replaced_expires_at } = await concord.rotateTenantKey({
   *   tenantId: tenant_id,
   *   keyId: key_id,
   *   overlap_seconds: 3600,
   * })
   * console.log(`the old key works until ${replaced_expires_at}`)
   */
  readonly rotateTenantKey: Call<RotateTenantKeyInput, RotatedKey>

  /**
   * Health of the control plane.
   *
   * Deprecated: use /internals/kernel/control-plane/health. Results of probes of database, broker, migrations
   * and dispatcher, with their ages. The status code is 503, with the same body, while the status is
   * `degraded` or `unavailable`; for `paused` and `stopped` it is 200. The route also answers while the
   * database is unreachable.
   *
   * @deprecated It calls /internals/control-plane/health, which will go.
   *
   * @example
   * // Call getControlPlaneHealth instead.
   * const { status } = await concord.getControlPlaneHealthDeprecated()
   * console.log(status)
   */
  readonly getControlPlaneHealthDeprecated: Call<GetControlPlaneHealthDeprecatedInput, ControlPlaneHealth>

  /**
   * List the convergence of scopes.
   *
   * Deprecated: use /internals/kernel/convergence. Counts and scores only, in the order of tenant and scope.
   * You can filter by tenant and by scope id.
   *
   * @deprecated It calls /internals/convergence, which will go.
   *
   * @example
   * // Call getKernelConvergence instead.
   * const { items } = await concord.getKernelConvergenceDeprecated({ scope_id: 'first-case' })
   * console.log(items.length)
   */
  readonly getKernelConvergenceDeprecated: ListCall<GetKernelConvergenceDeprecatedInput, {
    /** The items of this page, in the order of the list. */
    readonly items: readonly ScopeConvergence[]
    /** Send it as `cursor` for the next page; null on the last page. */
    readonly next_cursor: string | null
  }, ScopeConvergence>

  /**
   * Follow all events of the service.
   *
   * Deprecated: use /internals/kernel/events. Events of every scope, in the order in which their transactions
   * began. Positions are those of this stream; `data` has the position in the log of the scope.
   *
   * @deprecated It calls /internals/events, which will go.
   *
   * @example
   * // Call streamKernelEvents instead.
   * for await (const event of concord.streamKernelEventsDeprecated()) {
   *   console.log(event.type)
   *   break
   * }
   */
  readonly streamKernelEventsDeprecated: StreamCall<StreamKernelEventsDeprecatedInput, DocumentRegisteredEvent | DocumentAttachedEvent | DocumentQueuedEvent | DocumentProcessingEvent | DocumentProcessedEvent | DocumentHeldEvent | DocumentFailedEvent | DocumentSupersededEvent | DocumentRemovedEvent | ClaimsExtractedEvent | ContradictionOpenedEvent | ContradictionChangedEvent | ContradictionWithdrawnEvent | ContradictionResolvedEvent | ContradictionDismissedEvent | ContradictionReopenedEvent | ComparisonCutEvent | ComparisonHeldEvent | ComparisonReleasedEvent | ConvergenceChangedEvent | DecisionMadeEvent | ScopeCreatedEvent | ScopeDeclaredEvent | ScopeReopenedEvent | ScopeResetEvent | RuntimeChangedEvent | WorkerHatchedEvent | WorkerRetiredEvent | WorkerLostEvent | ScalingDecidedEvent | DependencyLostEvent | DependencyRestoredEvent>

  /**
   * List all workers.
   *
   * Deprecated: use /internals/kernel/hatchery/snapshot. Workers of all hosts, with the desired, running and
   * waiting counts of each role and the reasons of scaling. The processes report this once a second. A
   * process without a heartbeat for five seconds is `lost`, and is removed from the list after a minute.
   *
   * @deprecated It calls /internals/hatchery/snapshot, which will go.
   *
   * @example
   * // Call getHatcherySnapshot instead.
   * const { workers } = await concord.getHatcherySnapshotDeprecated()
   * console.log(workers.length)
   */
  readonly getHatcherySnapshotDeprecated: Call<GetHatcherySnapshotDeprecatedInput, HatcherySnapshot>

  /**
   * Read the health with an internals key.
   *
   * `authTier` is the tier of the credential that was presented.
   *
   * @example
   * const { status, authTier } = await concord.getInternalsHealth()
   * console.log(status, authTier)
   */
  readonly getInternalsHealth: Call<GetInternalsHealthInput, TierHealthResponse>

  /**
   * Health of the control plane.
   *
   * Results of probes of database, broker, migrations and dispatcher, with their ages. The status code is
   * 503, with the same body, while the status is `degraded` or `unavailable`; for `paused` and `stopped` it
   * is 200. The route also answers while the database is unreachable.
   *
   * @example
   * const { status } = await concord.getControlPlaneHealth()
   * console.log(status)
   */
  readonly getControlPlaneHealth: Call<GetControlPlaneHealthInput, ControlPlaneHealth>

  /**
   * List the convergence of scopes.
   *
   * Counts and scores only, in the order of tenant and scope. You can filter by tenant and by scope id.
   *
   * @example
   * for await (const { tenant_id, scope_id, score } of concord.getKernelConvergence.all({
   *   scope_id: 'first-case',
   * })) {
   *   console.log(tenant_id, scope_id, score)
   * }
   */
  readonly getKernelConvergence: ListCall<GetKernelConvergenceInput, {
    /** The items of this page, in the order of the list. */
    readonly items: readonly ScopeConvergence[]
    /** Send it as `cursor` for the next page; null on the last page. */
    readonly next_cursor: string | null
  }, ScopeConvergence>

  /**
   * Follow all events of the service.
   *
   * Events of every scope, in the order in which their transactions began. Positions are those of this
   * stream; `data` has the position in the log of the scope.
   *
   * @example
   * for await (const event of concord.streamKernelEvents()) {
   *   console.log(event.type)
   *   break
   * }
   */
  readonly streamKernelEvents: StreamCall<StreamKernelEventsInput, DocumentRegisteredEvent | DocumentAttachedEvent | DocumentQueuedEvent | DocumentProcessingEvent | DocumentProcessedEvent | DocumentHeldEvent | DocumentFailedEvent | DocumentSupersededEvent | DocumentRemovedEvent | ClaimsExtractedEvent | ContradictionOpenedEvent | ContradictionChangedEvent | ContradictionWithdrawnEvent | ContradictionResolvedEvent | ContradictionDismissedEvent | ContradictionReopenedEvent | ComparisonCutEvent | ComparisonHeldEvent | ComparisonReleasedEvent | ConvergenceChangedEvent | DecisionMadeEvent | ScopeCreatedEvent | ScopeDeclaredEvent | ScopeReopenedEvent | ScopeResetEvent | RuntimeChangedEvent | WorkerHatchedEvent | WorkerRetiredEvent | WorkerLostEvent | ScalingDecidedEvent | DependencyLostEvent | DependencyRestoredEvent>

  /**
   * List all workers.
   *
   * Workers of all hosts, with the desired, running and waiting counts of each role and the reasons of
   * scaling. The processes report this once a second. A process without a heartbeat for five seconds is
   * `lost`, and is removed from the list after a minute.
   *
   * @example
   * const { workers } = await concord.getHatcherySnapshot()
   * for (const { worker_id, state } of workers) console.log(worker_id, state)
   */
  readonly getHatcherySnapshot: Call<GetHatcherySnapshotInput, HatcherySnapshot>

  /**
   * Read the health of processing.
   *
   * Queue ages, last completion, worker liveness. The status is never `ok` while work makes no progress: it
   * is `paused` or `stopped` if the switch of the whole service pauses it, and `unavailable` otherwise. The
   * status code is 503, with the same body, while the status is `degraded` or `unavailable`. The route also
   * answers while the database is unreachable.
   *
   * @example
   * // An answer 503 is no error here: it says what does not move.
   * const { status, moving } = await concord.getKernelHealth()
   * console.log(status, moving)
   */
  readonly getKernelHealth: Call<GetKernelHealthInput, KernelHealth>

  /**
   * Pause the runtime of a tenant.
   *
   * No attempt starts after the response; work in flight finishes. Refused while stopped. Without a body, it
   * applies to all scopes of the tenant whose key is sent; with `scope_id`, to that scope.
   *
   * Problems: `scope_not_found`, `illegal_transition`.
   *
   * @example
   * const { state, effective_state } = await concord.pauseTenantRuntime({ scope_id: 'first-case' })
   * console.log(state, effective_state)
   */
  readonly pauseTenantRuntime: Call<PauseTenantRuntimeInput, Runtime>

  /**
   * Restart the runtime of a tenant.
   *
   * Stops, replaces the affected reading processes and starts, from any state. Raises the generation. Without
   * a body, it applies to all scopes of the tenant whose key is sent; with `scope_id`, to that scope.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { state, effective_state } = await concord.restartTenantRuntime({ scope_id: 'first-case' })
   * console.log(state, effective_state)
   */
  readonly restartTenantRuntime: Call<RestartTenantRuntimeInput, Runtime>

  /**
   * Resume the runtime of a tenant.
   *
   * Ends a pause. Refused while stopped; use start instead. Without a body, it applies to all scopes of the
   * tenant whose key is sent; with `scope_id`, to that scope.
   *
   * Problems: `scope_not_found`, `illegal_transition`.
   *
   * @example
   * const { state, effective_state } = await concord.resumeTenantRuntime({ scope_id: 'first-case' })
   * console.log(state, effective_state)
   */
  readonly resumeTenantRuntime: Call<ResumeTenantRuntimeInput, Runtime>

  /**
   * Start the runtime of a tenant.
   *
   * Starts work again, from paused and from stopped. Without a body, it applies to all scopes of the tenant
   * whose key is sent; with `scope_id`, to that scope.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { state, effective_state } = await concord.startTenantRuntime({ scope_id: 'first-case' })
   * console.log(state, effective_state)
   */
  readonly startTenantRuntime: Call<StartTenantRuntimeInput, Runtime>

  /**
   * Stop the runtime of a tenant.
   *
   * No attempt starts after the response; work in flight is put back into the queue, and its late results are
   * refused. Without a body, it applies to all scopes of the tenant whose key is sent; with `scope_id`, to
   * that scope.
   *
   * Problems: `scope_not_found`.
   *
   * @example
   * const { state, effective_state } = await concord.stopTenantRuntime({ scope_id: 'first-case' })
   * console.log(state, effective_state)
   */
  readonly stopTenantRuntime: Call<StopTenantRuntimeInput, Runtime>
}

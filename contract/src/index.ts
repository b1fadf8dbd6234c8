export { deprecationHeaders } from './deprecation.ts'
export type { ConcordEvent, EventData, EventKind, ScopeEventKind } from './events.ts'
export { CloudEvent, eventKinds, eventSchemas, ResyncNotice, scopeEventKinds } from './events.ts'
export type { ApplicableLimits } from './limits.ts'
export { limitsOf } from './limits.ts'
export type { OpenApiOptions } from './openapi.ts'
export { contractVersion, openApiDocument } from './openapi.ts'
export { problemsOf } from './openapi/problems.ts'
export type {
  AnswerBody,
  AnswerOf,
  AnswersByStatus,
  BodyOf,
  DeprecatedAlias,
  Method,
  Operation,
  ParamsOf,
  QueryOf,
  Tier,
} from './operation.ts'
export { defaultBodyLimit, operation } from './operation.ts'
export type { OperationName, ServedName } from './operations.ts'
export { allOperations, operations, servedOperations } from './operations.ts'
export type { FieldFault, ProblemCode } from './problems.ts'
export { isProblemCode, problemCodes, problems } from './problems.ts'
export type {
  CertificateBundleRecord,
  CertificateRecord,
  EvidenceLeafRecord,
  LeafRecord,
  SecondCertificateRecord,
} from './schemas/certificates.ts'
export { CertificateBundle } from './schemas/certificates.ts'
export { terminalDocumentStatuses } from './schemas/documents.ts'
export { FileType, fileTypeByMedia } from './schemas/files.ts'
export { maxTextRange, Report, reportBounds } from './schemas/reports.ts'
export { IngestDocumentRequest } from './schemas/ingest.ts'
export { Problem } from './schemas/problem.ts'
export { countCodePoints, text } from './text.ts'

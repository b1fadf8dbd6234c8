/** The fields that tools take, with the bounds that the contract gives them. */
import { operations } from '@concord/contract'
import { z } from 'zod'

/** A page that a model can read in one go; the service itself would give up to a hundred. */
const PAGE = 20

/** A row of the contract may have no such part, as far as its type tells; the rows used here have it. */
export function partOf<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('An operation of the contract lost a part that a tool needs.')
  return part
}

const contradictions = partOf(operations.listContradictions.query).shape
const claims = partOf(operations.listClaims.query).shape
const documents = partOf(operations.listDocuments.query).shape
const oneDocument = partOf(operations.getDocument.params).shape
const oneContradiction = partOf(operations.getContradiction.params).shape

export const scopeId = { scope_id: oneDocument.scopeId }
export const documentId = { document_id: oneDocument.documentId }
export const contradictionId = { contradiction_id: oneContradiction.contradictionId }

export const page = {
  limit: z.int().min(1).max(100).default(PAGE).describe('Items a page, at the most.'),
  cursor: contradictions.cursor,
}

/** One or several: the service reads several with commas between, and the client writes them so. */
function severalOf<const Value extends string>(one: z.ZodType<Value>, description: string) {
  return z
    .union([one, z.array(one).min(1)])
    .optional()
    .describe(description)
}

const contradiction = operations.listContradictions.answers[200].shape.items.element.shape
const document = operations.listDocuments.answers[200].shape.items.element.shape

export const contradictionFilters = {
  status: severalOf(contradiction.status, 'Only those in one of these statuses.'),
  severity: severalOf(contradiction.severity, 'Only those of one of these severities.'),
  relation: contradictions.relation,
  kind: contradictions.kind,
  document_id: contradictions.document_id,
  order: contradictions.order,
}

export const claimFilters = {
  document_id: claims.document_id,
  kind: claims.kind,
  q: claims.q,
  entity: claims.entity,
  attribute: claims.attribute,
  period: claims.period,
}

export const documentFilters = {
  status: severalOf(document.status, 'Only those in one of these statuses.'),
  name: documents.name,
  type: documents.type,
  source: documents.source,
  tag: documents.tag,
  metadata: documents.metadata,
  updated_since: documents.updated_since,
  order: documents.order,
}

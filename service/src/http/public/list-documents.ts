import { operations } from '@concord/contract'
import { listDocuments as list } from '../../app/documents/document-lists.ts'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { toDocumentRecord } from '../document-records.ts'
import { toPageRecord } from '../records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function listDocuments(deps: DocumentsDeps): Route {
  return tenantRoute(operations.listDocuments, async ({ who, params: { scopeId }, query }) => {
    const page = await list(deps, who, scopeId, {
      limit: query.limit,
      cursor: query.cursor,
      statuses: query.status,
      name: query.name,
      type: query.type,
      source: query.source,
      tag: query.tag,
      metadata: splitPair(query.metadata),
      updatedSince: query.updated_since,
      order: query.order,
    })
    return { status: 200, body: toPageRecord(page, toDocumentRecord) }
  })
}

/** The contract has seen to it that there is a colon. */
function splitPair(pair: string | undefined): [key: string, value: string] | undefined {
  if (pair === undefined) return undefined
  const colon = pair.indexOf(':')
  return [pair.slice(0, colon), pair.slice(colon + 1)]
}

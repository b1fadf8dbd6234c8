import { operations } from '@concord/contract'
import { getDocument as get } from '../../app/documents/documents.ts'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { toDocumentRecord, toVersionRecord } from '../document-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getDocument(deps: DocumentsDeps): Route {
  return tenantRoute(operations.getDocument, async ({ who, params: { scopeId, documentId }, query }) => {
    const { document, versions } = await get(deps, who, scopeId, documentId, {
      limit: query.versions_limit,
      cursor: query.versions_cursor,
    })
    const body = {
      ...toDocumentRecord(document),
      versions: versions.items.map(toVersionRecord),
      next_versions_cursor: versions.nextCursor,
    }
    return { status: 200, body }
  })
}

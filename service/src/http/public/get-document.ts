import { operations } from '@concord/contract'
import { getDocument as get } from '../../app/documents.ts'
import type { DocumentsDeps } from '../../app/documents.ts'
import { toDocumentRecord, toVersionRecord } from '../document-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getDocument(deps: DocumentsDeps): Route {
  return tenantRoute(operations.getDocument, async ({ who, params: { scopeId, documentId } }) => {
    const { document, versions } = await get(deps, who, scopeId, documentId)
    return { status: 200, body: { ...toDocumentRecord(document), versions: versions.map(toVersionRecord) } }
  })
}

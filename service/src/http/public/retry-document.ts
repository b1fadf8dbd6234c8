import { operations } from '@concord/contract'
import { retryDocument as retry } from '../../app/documents/documents.ts'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { documentAddress } from '../document-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function retryDocument(deps: DocumentsDeps): Route {
  return tenantRoute(operations.retryDocument, async ({ who, params: { scopeId, documentId } }) => {
    const { version, seq } = await retry(deps, who, scopeId, documentId)
    return {
      status: 202,
      headers: { location: documentAddress(scopeId, documentId) },
      body: { scope_id: scopeId, document_id: documentId, version, queued: true, seq },
    }
  })
}

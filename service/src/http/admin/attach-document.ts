import { operations } from '@concord/contract'
import { depositDocument } from '../../app/documents/documents.ts'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { documentAddress, toDepositRequest, toDocumentRecord } from '../document-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function attachDocument(deps: DocumentsDeps): Route {
  return tenantRoute(operations.attachDocument, async ({ who, params: { scopeId }, body }) => {
    const document = await depositDocument(deps, who, toDepositRequest(scopeId, body))
    return {
      status: 201,
      headers: { location: documentAddress(scopeId, document.documentId) },
      body: toDocumentRecord(document),
    }
  })
}

import { operations } from '@concord/contract'
import { depositDocument } from '../../app/documents/documents.ts'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { documentAddress, toDepositRequest, toDocumentRecord } from '../document-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function registerDocument(deps: DocumentsDeps): Route {
  return tenantRoute(operations.registerDocument, async ({ who, body }) => {
    const document = await depositDocument(deps, who, toDepositRequest(body.scope_id, body))
    return {
      status: 201,
      headers: { location: documentAddress(body.scope_id, document.documentId) },
      body: toDocumentRecord(document),
    }
  })
}

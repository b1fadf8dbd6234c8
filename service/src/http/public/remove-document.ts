import { operations } from '@concord/contract'
import { removeDocument as remove } from '../../app/documents/documents.ts'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function removeDocument(deps: DocumentsDeps): Route {
  return tenantRoute(operations.removeDocument, async ({ who, params: { scopeId, documentId } }) => {
    const { versions, seq } = await remove(deps, who, scopeId, documentId)
    return { status: 200, body: { scope_id: scopeId, document_id: documentId, removed: { versions }, seq } }
  })
}

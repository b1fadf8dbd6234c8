import { operations } from '@concord/contract'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { releaseDocument as release } from '../../app/processing/holds.ts'
import { documentAddress } from '../document-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function releaseDocument(deps: DocumentsDeps): Route {
  return tenantRoute(operations.releaseDocument, async ({ who, params, body }) => {
    const { scopeId, documentId } = params
    const { version, seq, decisionId } = await release(deps, who, params, body)
    return {
      status: 202,
      headers: { location: documentAddress(scopeId, documentId) },
      body: {
        scope_id: scopeId,
        document_id: documentId,
        version,
        queued: true,
        seq,
        decision_id: decisionId,
      },
    }
  })
}

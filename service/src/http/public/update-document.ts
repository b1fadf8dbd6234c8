import { operations } from '@concord/contract'
import { updateDocument as update } from '../../app/documents/document-labels.ts'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { toDocumentRecord } from '../document-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function updateDocument(deps: DocumentsDeps): Route {
  return tenantRoute(operations.updateDocument, async ({ who, params, body }) => {
    const document = await update(deps, who, params, body)
    return { status: 200, body: toDocumentRecord(document) }
  })
}

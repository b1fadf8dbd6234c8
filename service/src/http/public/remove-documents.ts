import { operations } from '@concord/contract'
import { removeDocuments as remove } from '../../app/documents/bulk-documents.ts'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { toProblemRecord } from '../problems.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function removeDocuments(deps: DocumentsDeps, publicUrl: string): Route {
  return tenantRoute(operations.removeDocuments, async ({ who, params, body, requestId, answerBy }) => {
    const { scopeId } = params
    const outcomes = await remove(deps, who, scopeId, { documentIds: body.document_ids, answerBy })
    const results = outcomes.map(({ documentId, result }) =>
      'done' in result
        ? { removed: true as const, document_id: documentId, ...result.done }
        : {
            removed: false as const,
            document_id: documentId,
            problem: toProblemRecord(result.error, { publicUrl, requestId }),
          },
    )
    const removed = results.filter((each) => each.removed).length
    return { status: 200, body: { scope_id: scopeId, removed, refused: results.length - removed, results } }
  })
}

import { operations } from '@concord/contract'
import { retryDocuments as retry } from '../../app/documents/bulk-documents.ts'
import type { RetrySelection } from '../../app/documents/bulk-documents.ts'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { toProblemRecord } from '../problems.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function retryDocuments(deps: DocumentsDeps, publicUrl: string): Route {
  return tenantRoute(operations.retryDocuments, async ({ who, params: { scopeId }, body, requestId }) => {
    // The contract has seen to it that one of the two is there.
    const { document_ids: documentIds, status = 'failed', after } = body
    const selection: RetrySelection = documentIds ? { documentIds } : { status, after }
    const { outcomes, nextAfter } = await retry(deps, who, scopeId, selection)
    const results = outcomes.map(({ documentId, result }) =>
      'done' in result
        ? {
            queued: true as const,
            document_id: documentId,
            version: result.done.version,
            seq: result.done.seq,
          }
        : {
            queued: false as const,
            document_id: documentId,
            problem: toProblemRecord(result.error, { publicUrl, requestId }),
          },
    )
    const queued = results.filter((each) => each.queued).length
    const counts = { queued, refused: results.length - queued }
    return { status: 200, body: { scope_id: scopeId, ...counts, results, next_after: nextAfter } }
  })
}

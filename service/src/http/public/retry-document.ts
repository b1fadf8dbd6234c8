import { operations } from '@concord/contract'
import { retryDocument as retry } from '../../app/documents/documents.ts'
import type { DocumentsDeps, RetryResult } from '../../app/documents/documents.ts'
import type { IdempotencyDeps } from '../../app/idempotency.ts'
import { documentAddress } from '../document-records.ts'
import { replayableRoute } from '../replayable-route.ts'
import type { Route } from '../route.ts'

export function retryDocument(deps: DocumentsDeps & IdempotencyDeps): Route {
  return replayableRoute(deps, operations.retryDocument, async ({ who, params }, keeping) => {
    const { scopeId, documentId } = params
    const toAnswer = ({ version, seq }: RetryResult) =>
      ({
        status: 202,
        headers: { location: documentAddress(scopeId, documentId) },
        body: { scope_id: scopeId, document_id: documentId, version, queued: true, seq },
      }) as const
    return toAnswer(await retry(deps, who, scopeId, documentId, keeping(toAnswer)))
  })
}

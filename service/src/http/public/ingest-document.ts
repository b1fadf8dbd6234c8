import { operations } from '@concord/contract'
import type { Ingest } from '../../app/documents/ingest.ts'
import { toAcceptedRecord, toIngestRequest } from '../ingest-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function ingestDocument(ingest: Ingest): Route {
  return tenantRoute(operations.ingestDocument, async ({ who, body, headers, answerBy }) => {
    const request = { ...toIngestRequest(body, headers['idempotency-key']), answerBy }
    // @point ingest.accept
    const accepted = await ingest.ingestDocument(who, request)
    return {
      status: 202,
      headers: {
        location: `/api/scopes/${request.scopeId}/documents/${encodeURIComponent(accepted.documentId)}`,
        ...(accepted.replayed && { 'idempotency-replayed': 'true' }),
      },
      body: toAcceptedRecord(request, accepted),
    }
  })
}

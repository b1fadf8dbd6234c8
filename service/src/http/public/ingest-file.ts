import { operations } from '@concord/contract'
import { ingestFile as ingest } from '../../app/documents/files.ts'
import type { FilesDeps } from '../../app/documents/files.ts'
import { toFileRequest } from '../file-requests.ts'
import { toAcceptedRecord } from '../ingest-records.ts'
import { takingLong, tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

/** Reading a file may take longer than other requests; it has limits of its own. */
export function ingestFile(deps: FilesDeps): Route {
  return takingLong(
    tenantRoute(operations.ingestFile, async ({ who, params, query, body, headers, contentType }) => {
      const request = toFileRequest({
        scopeId: params.scopeId,
        query,
        body,
        contentType,
        idempotencyKey: headers['idempotency-key'],
      })
      const accepted = await ingest(deps, who, request)
      const { characters, unread } = accepted
      return {
        status: 202,
        headers: {
          location: `/api/scopes/${request.scopeId}/documents/${encodeURIComponent(accepted.documentId)}`,
          ...(accepted.replayed && { 'idempotency-replayed': 'true' }),
        },
        body: {
          ...toAcceptedRecord(request, accepted),
          characters,
          unread: unread.map((each) => ({ ...each })),
        },
      }
    }),
  )
}

import { operations } from '@concord/contract'
import { triggerIngest as trigger } from '../../app/processing/ingest-trigger.ts'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import { takingLong, tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

/** A whole scope is queued page by page, so it takes as long as there is attached. */
export function triggerIngest(deps: DocumentsDeps): Route {
  const route = tenantRoute(operations.triggerIngest, async ({ who, params: { scopeId }, body }) => {
    const triggered = await trigger(deps, who, scopeId, body.document_ids)
    return {
      status: 200,
      body: {
        scope_id: scopeId,
        queued: triggered.queued,
        already_queued: triggered.alreadyQueued,
        without_text: triggered.withoutText,
        first_seq: triggered.firstSeq,
        last_seq: triggered.lastSeq,
      },
    }
  })
  return takingLong(route)
}

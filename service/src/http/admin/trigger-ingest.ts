import { operations } from '@concord/contract'
import { triggerIngest as trigger } from '../../app/documents.ts'
import type { DocumentsDeps } from '../../app/documents.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function triggerIngest(deps: DocumentsDeps): Route {
  return tenantRoute(operations.triggerIngest, async ({ who, params: { scopeId }, body }) => {
    const triggered = await trigger(deps, who, scopeId, body.document_ids)
    return {
      status: 200,
      body: {
        scope_id: scopeId,
        queued: triggered.queued,
        already_queued: triggered.alreadyQueued,
        first_seq: triggered.firstSeq,
        last_seq: triggered.lastSeq,
      },
    }
  })
}

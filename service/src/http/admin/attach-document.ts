import { operations } from '@concord/contract'
import { depositDocument } from '../../app/documents/documents.ts'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import type { IdempotencyDeps } from '../../app/idempotency.ts'
import { toDepositRequest, toPlacedAnswer } from '../document-records.ts'
import { replayableRoute } from '../replayable-route.ts'
import type { Route } from '../route.ts'

export function attachDocument(deps: DocumentsDeps & IdempotencyDeps): Route {
  return replayableRoute(deps, operations.attachDocument, async ({ who, params, body }, keeping) => {
    const request = toDepositRequest(params.scopeId, body)
    return toPlacedAnswer(await depositDocument(deps, who, request, keeping(toPlacedAnswer)))
  })
}

import { operations } from '@concord/contract'
import type { DocumentsDeps } from '../../app/documents/documents.ts'
import type { IdempotencyDeps } from '../../app/idempotency.ts'
import { releaseDocument as release } from '../../app/processing/holds.ts'
import type { ReleaseResult } from '../../app/processing/holds.ts'
import { documentAddress } from '../document-records.ts'
import { replayableRoute } from '../replayable-route.ts'
import type { Route } from '../route.ts'

export function releaseDocument(deps: DocumentsDeps & IdempotencyDeps): Route {
  return replayableRoute(deps, operations.releaseDocument, async ({ who, params, body }, keeping) => {
    const { scopeId, documentId } = params
    const toAnswer = ({ version, seq, decisionId }: ReleaseResult) =>
      ({
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
      }) as const
    return toAnswer(await release(deps, who, { ...params, keep: keeping(toAnswer) }, body))
  })
}

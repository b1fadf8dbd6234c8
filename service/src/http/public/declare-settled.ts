import { operations } from '@concord/contract'
import { declareSettled as declare } from '../../app/certificates/declarations.ts'
import type { DeclarationResult, DeclarationDeps } from '../../app/certificates/declarations.ts'
import type { IdempotencyDeps } from '../../app/idempotency.ts'
import { FairQueue } from '../../platform/fair-queue.ts'
import { toIssuedRecord } from '../certificate-records.ts'
import { replayableRoute } from '../replayable-route.ts'
import { takingLong } from '../route.ts'
import type { Route } from '../route.ts'

/** A tenant has at most two of the three readings of evidence at a time in this process; a caller that waits for longer is answered 503. */
const EVIDENCE_TURNS = { slots: 3, waitMs: 5_000 }

/** All the evidence is read, so it takes as long as there is of it. */
export function declareSettled(given: DeclarationDeps & IdempotencyDeps): Route {
  const deps = { ...given, evidenceTurns: new FairQueue(EVIDENCE_TURNS) }
  const route = replayableRoute(deps, operations.declareSettled, async ({ who, params, body }, keeping) => {
    const { scopeId } = params
    const words = { by: body?.by ?? null, reason: body?.reason ?? null }
    const toAnswer = ({ issued, ...certificate }: DeclarationResult) =>
      ({
        status: issued ? 201 : 200,
        headers: { location: `/api/scopes/${scopeId}/certificate` },
        body: toIssuedRecord(certificate),
      }) as const
    return toAnswer(await declare(deps, who, scopeId, words, keeping(toAnswer)))
  })
  return takingLong(route)
}

/** Releases documents that a policy holds. */
import { randomUUIDv7 } from 'node:crypto'
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import { markReleased, selectDocument } from '../../store/documents/documents.ts'
import { insertDecision } from '../../store/contradictions/decisions.ts'
import { appendEvents } from '../../store/scopes/scope-log.ts'
import { documentFingerprint, recordAudit } from '../audit/audit.ts'
import { decisionEvent, sealReason } from '../contradictions/decisions.ts'
import type { StoreResult } from '../stored-answers.ts'
import { queue } from './ingest-trigger.ts'
import type { DocumentsDeps } from '../documents/documents.ts'
import { inScope, storingResult } from '../scopes/scope-transaction.ts'
import type { ScopeWork } from '../scopes/scope-transaction.ts'

export interface ReleaseResult {
  readonly version: number
  readonly seq: number
  readonly decisionId: string
}

export interface ReleaseRequest {
  readonly scopeId: string
  readonly documentId: string
  readonly keep?: StoreResult<ReleaseResult> | undefined
}

/** Releases a held document: queues it again in the same transaction. Policies are not evaluated again for this version. */
export async function releaseDocument(
  deps: DocumentsDeps,
  who: TenantCaller,
  { scopeId, documentId, keep }: ReleaseRequest,
  why: { readonly by: string; readonly reason: string },
): Promise<ReleaseResult> {
  const work: ScopeWork<ReleaseResult> = async (transaction, head, seal) => {
    const document = await selectDocument(transaction, scopeId, documentId)
    if (!document || document.status === 'removed') throw new Fault('document_not_found')
    if (document.status !== 'held') throw new Fault('illegal_transition')
    const decisionId = randomUUIDv7()
    const decided = await appendEvents(transaction, head, [
      decisionEvent({
        decision_id: decisionId,
        point: 'admit_document',
        result: 'released',
        decided_by: 'person',
      }),
    ])
    const [queued] = await queue(transaction, { ...head, head: decided }, [document])
    const seq = queued?.seq ?? decided
    const { version } = document
    await markReleased(transaction, scopeId, { documentId, version })
    await insertDecision(transaction, scopeId, {
      decisionId,
      epoch: head.epoch,
      point: 'admit_document',
      result: 'released',
      decidedBy: 'person',
      contradictionId: null,
      documentIds: [documentId],
      holds: null,
      upheld: null,
      against: [],
      policyHash: null,
      policies: [],
      actor: who.actor,
      sealed: sealReason(seal, decisionId, why),
      seq,
    })
    await recordAudit(transaction.connection, deps.auditor, [
      {
        action: 'document.released',
        who,
        tenantId: who.tenantId,
        scopeId,
        subject: documentFingerprint(deps.auditor, who.tenantId, scopeId, documentId),
        details: { epoch: head.epoch, version, seq, decision_id: decisionId },
      },
    ])
    return { version, seq, decisionId }
  }
  const released = await inScope(deps, who, scopeId, storingResult(keep, work))
  deps.noteQueued?.(who, scopeId, released.seq, 1)
  return released
}

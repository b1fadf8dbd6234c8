/** Documents that policy holds, and the person who lets one pass. */
import { randomUUIDv7 } from 'node:crypto'
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import { markReleased, selectDocument } from '../../store/documents/documents.ts'
import { insertDecision } from '../../store/contradictions/decisions.ts'
import { documentPrint, recordAudit } from '../audit/audit.ts'
import { sealGrounds } from '../contradictions/decisions.ts'
import { queue } from './ingest-trigger.ts'
import type { DocumentsDeps } from '../documents/documents.ts'
import { inScope } from '../scopes/scope-writing.ts'

export interface Released {
  readonly version: number
  readonly seq: number
  readonly decisionId: string
}

/** Queued again in the same commit, and not asked about any more. */
export async function releaseDocument(
  deps: DocumentsDeps,
  who: TenantCaller,
  place: { readonly scopeId: string; readonly documentId: string },
  why: { readonly by: string; readonly reason: string },
): Promise<Released> {
  const { scopeId, documentId } = place
  const released = await inScope(deps, who, scopeId, async (transaction, head, seal) => {
    const document = await selectDocument(transaction, scopeId, documentId)
    if (!document || document.status === 'removed') throw new Fault('document_not_found')
    if (document.status !== 'held') throw new Fault('illegal_transition')
    const [queued] = await queue(transaction, head, [document])
    const seq = queued?.seq ?? head.head
    const decisionId = randomUUIDv7()
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
      sealed: sealGrounds(seal, decisionId, why),
      seq,
    })
    await recordAudit(transaction.connection, deps.auditor, [
      {
        action: 'document.released',
        who,
        tenantId: who.tenantId,
        scopeId,
        subject: documentPrint(deps.auditor, who.tenantId, scopeId, documentId),
        details: { epoch: head.epoch, version, seq, decision_id: decisionId },
      },
    ])
    return { version, seq, decisionId }
  })
  deps.noteQueued?.(who, scopeId, released.seq, 1)
  return released
}

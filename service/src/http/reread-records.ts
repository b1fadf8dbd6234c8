/** The reread of a scope as the contract writes it. */
import type { RereadRow } from '../app/processing/rereads.ts'

export function toRereadRecord(scopeId: string, reread: RereadRow | undefined) {
  if (!reread) return { scope_id: scopeId, ...NONE }
  const { state, readBy, documentIds, queued, underWay, requestedAt, endedAt } = reread
  return {
    scope_id: scopeId,
    state,
    read_by: readBy,
    documents_named: documentIds?.length ?? null,
    documents_queued: queued,
    documents_read: queued - underWay.length,
    requested_at: requestedAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  }
}

const NONE = {
  state: 'none',
  read_by: null,
  documents_named: null,
  documents_queued: 0,
  documents_read: 0,
  requested_at: null,
  ended_at: null,
} as const

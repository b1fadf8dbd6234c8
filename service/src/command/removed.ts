/** What an erasure took with it, as a command prints it. */
import type { Removed } from '../app/erasing.ts'

export function toRemovedRow(removed: Removed): Record<string, number> {
  return {
    documents: removed.documents,
    claims: removed.claims,
    contradictions: removed.contradictions,
    idempotency_records: removed.idempotencyRecords,
    log_entries: removed.logEntries,
  }
}

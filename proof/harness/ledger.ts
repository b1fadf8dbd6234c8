/** Reads the final content of the database as its superuser: past every rule by which the service looks at it. */
import type { Ask } from './database.ts'

export interface StoredDocument {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly status: string
  readonly errorCode: string | null
  /** Events that tell of the end of its newest version. */
  readonly ends: number
  readonly readings: number
}

export interface StoredLog {
  readonly tenantId: string
  readonly scopeId: string
  readonly head: number
  readonly first: number
  readonly last: number
  readonly entries: number
}

/** One attempt as the log tells of it. */
export interface LedgerAttempt {
  readonly document: string
  readonly attempt: number
  readonly at: number
}

export interface Ledger {
  readonly documents: readonly StoredDocument[]
  readonly logs: readonly StoredLog[]
  readonly idempotencyKeys: number
  /** Ends beyond the first of any version of any document, and readings of anything but a processed version. */
  readonly surplusEffects: number
  /** The claims of documents that were claimed more than once. */
  readonly repeatedClaims: readonly LedgerAttempt[]
}

const ENDS = `
  select tenant_id, scope_id, document_id, version, epoch, count(*)::int as times from scope_log
   where kind in ('document.processed', 'document.failed', 'document.held') group by 1, 2, 3, 4, 5`

const READINGS = `
  select tenant_id, scope_id, document_id, version, epoch, count(*)::int as times from readings
   group by 1, 2, 3, 4, 5`

export async function readLedger(ask: Ask): Promise<Ledger> {
  const [documents, logs, [totals], repeatedClaims] = await Promise.all([
    ask<StoredDocument>(
      `with ends as (${ENDS}), readings as (${READINGS})
       select d.tenant_id as "tenantId", d.scope_id as "scopeId", d.document_id as "documentId", d.status,
              d.error_code as "errorCode", coalesce(e.times, 0) as ends, coalesce(r.times, 0) as readings
         from documents d
         left join ends e using (tenant_id, scope_id, document_id, version, epoch)
         left join readings r using (tenant_id, scope_id, document_id, version, epoch)`,
    ),
    ask<StoredLog>(
      `select h.tenant_id as "tenantId", h.scope_id as "scopeId", h.head::float8 as head, count(l.seq)::int as entries,
              coalesce(min(l.seq), 0)::float8 as first, coalesce(max(l.seq), 0)::float8 as last
         from scope_heads h left join scope_log l using (tenant_id, scope_id) group by 1, 2, 3`,
    ),
    ask<{ keys: number; surplus: number }>(
      `select (select count(*) from idempotency_keys)::int as keys,
              (select coalesce(sum(times - 1), 0) from (${ENDS}) e)::int
              + (select count(*) from readings r left join document_versions v
                   using (tenant_id, scope_id, document_id, version, epoch)
                  where v.status is distinct from 'processed')::int as surplus`,
    ),
    ask<LedgerAttempt>(
      `select concat_ws('/', tenant_id, scope_id, document_id, version) as document,
              (data ->> 'attempt')::int as attempt, (extract(epoch from at) * 1000)::float8 as at
         from scope_log
        where kind = 'document.processing'
          and (tenant_id, scope_id, document_id, version) in (
            select tenant_id, scope_id, document_id, version from scope_log
             where kind = 'document.processing' and (data ->> 'attempt')::int > 1)
        order by document, at`,
    ),
  ])
  return {
    documents,
    logs,
    repeatedClaims,
    idempotencyKeys: totals?.keys ?? 0,
    surplusEffects: totals?.surplus ?? 0,
  }
}

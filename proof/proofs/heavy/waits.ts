/** How long documents waited, and how they ended, as the database has it. */
import type { Fleet } from '../../harness/fleet.ts'
import { percentile } from '../../harness/statistics.ts'

export interface DocumentEnd {
  readonly tenantId: string
  readonly id: string
  readonly status: string
  readonly attempt: number
  /** Attempts as the log has them, one entry each. */
  readonly started: number
  /** In milliseconds since the epoch. */
  readonly queuedAt: number
  /** From its acceptance to its end; null before that. */
  readonly waitMs: number | null
}

export async function readEnds({ ask }: Fleet): Promise<DocumentEnd[]> {
  const documents = await ask<Omit<DocumentEnd, 'started'> & { readonly place: string }>(
    `select v.tenant_id as "tenantId", concat_ws('/', v.tenant_id, v.scope_id, v.document_id) as place, v.document_id as id,
            d.status, d.attempt, (extract(epoch from v.queued_at) * 1000)::float8 as "queuedAt",
            (extract(epoch from v.ended_at - v.queued_at) * 1000)::float8 as "waitMs"
       from document_versions v join documents d using (tenant_id, scope_id, document_id)`,
  )
  const starts = await ask<{ readonly place: string; readonly started: number }>(
    `select concat_ws('/', tenant_id, scope_id, document_id) as place, count(*)::int as started
       from scope_log where kind = 'document.processing' group by 1`,
  )
  const started = new Map(starts.map((each) => [each.place, each.started]))
  return documents.map(({ place, ...end }) => ({ ...end, started: started.get(place) ?? 0 }))
}

/** Lists the faults in the ends of heavy documents. */
export function judgeEnds(ends: readonly DocumentEnd[]) {
  const describe = ({ id, status, attempt, started }: DocumentEnd) =>
    `${id}: ${status}, attempt ${attempt}, started ${started} times`
  return {
    unfinished: ends.filter(({ status }) => status !== 'processed').map(describe),
    repeated: ends.filter(({ attempt, started }) => attempt > 1 || started > 1).map(describe),
  }
}

/** The percentile of the second, and what it may be at most: twice that of the first, and a little more. */
export function judgeWaits(alone: readonly number[], beside: readonly number[], share: number) {
  return { measured: percentile(beside, share), bound: 2 * percentile(alone, share) + MORE_MS }
}

const MORE_MS = 100

export function describeWaits(waits: readonly number[]): string {
  return [0.5, 0.9, 0.99, 1].map((share) => `${percentile(waits, share).toFixed(0)} ms`).join(' / ')
}

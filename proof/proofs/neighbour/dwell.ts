/** How long documents waited from their acceptance to their end, by the clock of Postgres alone. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from '@concord/tools/services'
import { askDatabase } from '../../harness/watch.ts'

/** Milliseconds since the epoch; Postgres on the same machine has the same clock. */
export interface Span {
  readonly from: number
  readonly until: number
}

export interface Dwell {
  readonly tenantId: string
  readonly ms: number
  /** Of it, until a worker had claimed the document. */
  readonly claimedMs: number
}

/** Of those that were accepted in the span and have ended. */
export async function readDwells(
  services: Services,
  database: string,
  { from, until }: Span,
): Promise<Dwell[]> {
  return askDatabase<Dwell>(
    services,
    database,
    `select tenant_id as "tenantId", (extract(epoch from ended_at - queued_at) * 1000)::float8 as ms,
            (extract(epoch from started_at - queued_at) * 1000)::float8 as "claimedMs"
       from document_versions
      where ended_at is not null and queued_at >= to_timestamp($1::float8 / 1000) and queued_at < to_timestamp($2::float8 / 1000)`,
    [from, until],
  )
}

/** Documents that ended in the span, of this tenant or of all others. */
export async function countEnded(
  services: Services,
  database: string,
  tenantId: string,
  { from, until }: Span,
): Promise<{ readonly its: number; readonly others: number }> {
  const [row] = await askDatabase<{ its: number; others: number }>(
    services,
    database,
    `select count(*) filter (where tenant_id = $1)::int as its, count(*) filter (where tenant_id <> $1)::int as others
       from document_versions
      where ended_at >= to_timestamp($2::float8 / 1000) and ended_at < to_timestamp($3::float8 / 1000)`,
    [tenantId, from, until],
  )
  return row ?? { its: 0, others: 0 }
}

const LOOK_MS = 250

/** Waits until nothing of the others is under way; says how much is when the patience is over. */
export async function untilOthersEnded(
  services: Services,
  database: string,
  tenantId: string,
  patienceMs: number,
): Promise<number> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const [row] = await askDatabase<{ left: number }>(
      services,
      database,
      'select count(*)::int as left from work where tenant_id <> $1',
      [tenantId],
    )
    const left = row?.left ?? 0
    if (left === 0 || performance.now() > deadline) return left
    await delay(LOOK_MS)
  }
}

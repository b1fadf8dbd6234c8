/** How long documents waited from their acceptance to their end, by the clock of Postgres alone. */
import type { Fleet } from '../../harness/fleet.ts'
import { poll } from '../../harness/loop.ts'

/** Milliseconds since the epoch; Postgres on the same machine has the same clock. */
export interface DwellSpan {
  readonly from: number
  readonly until: number
}

export interface Dwell {
  readonly tenantId: string
  readonly ms: number
  /** The time until a worker had claimed the document. */
  readonly claimedMs: number
}

/** Reads the dwells of documents that were accepted in the span and have ended. */
export async function readDwells({ ask }: Fleet, { from, until }: DwellSpan): Promise<Dwell[]> {
  return ask<Dwell>(
    `select tenant_id as "tenantId", (extract(epoch from ended_at - queued_at) * 1000)::float8 as ms,
            (extract(epoch from started_at - queued_at) * 1000)::float8 as "claimedMs"
       from document_versions
      where ended_at is not null and queued_at >= to_timestamp($1::float8 / 1000) and queued_at < to_timestamp($2::float8 / 1000)`,
    [from, until],
  )
}

/** Documents a second that ended in the span, of this tenant and of all others. */
export async function readRates({ ask }: Fleet, tenantId: string, { from, until }: DwellSpan) {
  const [row = { its: 0, others: 0 }] = await ask<{ its: number; others: number }>(
    `select count(*) filter (where tenant_id = $1)::int as its, count(*) filter (where tenant_id <> $1)::int as others
       from document_versions
      where ended_at >= to_timestamp($2::float8 / 1000) and ended_at < to_timestamp($3::float8 / 1000)`,
    [tenantId, from, until],
  )
  const perSecond = (count: number) => (count * 1000) / (until - from)
  return { its: perSecond(row.its), others: perSecond(row.others) }
}

/** Waits until nothing of the others is under way, and returns how much is when the time is over. */
export async function untilOthersEnded(
  { count }: Fleet,
  tenantId: string,
  withinMs: number,
): Promise<number> {
  const countTheirs = () => count('select count(*) from work where tenant_id <> $1', [tenantId])
  return poll(countTheirs, { until: (left) => left === 0, withinMs, everyMs: 250 })
}

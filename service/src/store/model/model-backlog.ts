/** Counts the documents that wait for the language model, as the kernel role: figures over all tenants. */
import type { Pool } from '../pools.ts'

export interface ModelBacklog {
  /** Documents that wait for an answer, by the reason why there was none; counted up to a bound. */
  readonly documents: Readonly<Record<string, number>>
  /** Comparison steps that wait or are under way, those that a removal left among them, and those that are held. */
  readonly comparisons: {
    readonly pending: number
    readonly not_permitted: number
    readonly over_budget: number
  }
  /** The age of the comparison step that has waited longest and is not held; null where there is none. */
  readonly oldestComparisonMs: number | null
}

/** Whether a thousand or a million wait beyond this makes no difference to anyone. */
const MOST = 10_000

export async function selectModelBacklog(kernel: Pick<Pool, 'query'>): Promise<ModelBacklog> {
  const { rows } = await kernel.query<ModelBacklog>({
    name: 'select-model-backlog',
    text: `
      select (select coalesce(json_object_agg(d.reason, d.number), '{}')
                from (select w.waiting_reason as reason, count(*)::int as number
                        from (select waiting_reason from work
                               where state = 'queued' and waiting_reason is not null limit ${MOST}) w
                       group by w.waiting_reason) d) as documents,
             (select json_build_object('pending', coalesce(sum(c.steps - c.not_permitted - c.over_budget), 0),
                                       'not_permitted', coalesce(sum(c.not_permitted), 0),
                                       'over_budget', coalesce(sum(c.over_budget), 0))
                from fact_counts c where c.steps > 0) as comparisons,
             (select (extract(epoch from now() - min(s.made_at)) * 1000)::float
                from comparison_steps s where s.held_reason is null) as "oldestComparisonMs"`,
  })
  const [row] = rows
  if (!row) throw new Error('a statement without a table has one row')
  return row
}

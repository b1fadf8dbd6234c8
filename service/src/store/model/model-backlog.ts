/** Counts the documents of all tenants that wait for the language model. Runs as the kernel role. */
import type { Pool } from '../pools.ts'

export interface ModelBacklog {
  /** Documents that wait for an answer, by reason, counted up to a bound. */
  readonly documents: Readonly<Record<string, number>>
  /** Comparison steps that wait or are in progress, including steps that a removal created, and steps that are held. */
  readonly comparisons: {
    readonly pending: number
    readonly not_permitted: number
    readonly over_budget: number
  }
  /** The longest wait of a comparison step that is not held; null if there is none. */
  readonly oldestComparisonMs: number | null
}

/** Counting stops here, so that a long backlog does not make the statement slow. */
const MAX_COUNTED = 10_000

export async function selectModelBacklog(kernel: Pick<Pool, 'query'>): Promise<ModelBacklog> {
  const { rows } = await kernel.query<ModelBacklog>({
    name: 'select-model-backlog',
    text: `
      select (select coalesce(json_object_agg(d.reason, d.number), '{}')
                from (select w.waiting_reason as reason, count(*)::int as number
                        from (select waiting_reason from work
                               where state = 'queued' and waiting_reason is not null limit ${MAX_COUNTED}) w
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

/**
 * Facts of many more documents than a bench can send: written with SQL as copies of those that the service filed. Each copy has names and figures
 * of its own, shared by twenty copies, and the other words of its original. The claims of the originals are their witnesses.
 */
import { asSuperuser } from '@concord/tools/launch'
import type { IngestStage } from '../ingest-stage.ts'
import { SCOPE } from './scope.ts'

export const FACTS_A_DOCUMENT = 5
/** The number of words of a fact that are names and figures. */
const SPECIFIC = 4
const SHARED_BY = 20

const COPIED = `
with base as (
  select c.position from fact_counts c where c.tenant_id = $1 and c.scope_id = $2
), originals as (
  select f.*, row_number() over (order by f.fact_key) as nth from facts f
   where f.tenant_id = $1 and f.scope_id = $2 and f.position <= $3
), made as (
  insert into facts (tenant_id, scope_id, fact_key, position, witnesses, tokens, state, compared, words)
  select f.tenant_id, f.scope_id, hashint8extended(f.fact_key, base.position + c), base.position + c, 1, f.tokens, 'done', true,
         array(select case when w.nth <= ${SPECIFIC} then hashint8extended(w.word, (base.position + c) / ${SHARED_BY}) else w.word end
                 from unnest(f.words) with ordinality w(word, nth))
    from base cross join originals f cross join generate_series(1, ceil($4::float / (select count(*) from originals))::bigint) c
   where (c - 1) * (select count(*) from originals) + f.nth <= $4
  returning *
), posted as (
  insert into fact_postings (tenant_id, scope_id, word, position, fact_key)
  select distinct m.tenant_id, m.scope_id, w.word, m.position, m.fact_key from made m cross join lateral unnest(m.words) w(word)
), counted as (
  insert into fact_words as n (tenant_id, scope_id, word, facts)
  select $1, $2, w.word, count(*) from made m cross join lateral unnest(m.words) w(word) group by w.word
  on conflict (tenant_id, scope_id, word) do update set facts = n.facts + excluded.facts
), witnessed as (
  insert into fact_witnesses (tenant_id, scope_id, fact_key, document_id, no, version)
  select m.tenant_id, m.scope_id, m.fact_key, w.document_id, w.no, w.version
    from base cross join originals f
    join made m on m.fact_key = hashint8extended(f.fact_key, m.position)
   cross join lateral (select * from fact_witnesses w where w.tenant_id = $1 and w.scope_id = $2 and w.fact_key = f.fact_key
                        order by w.document_id, w.no limit 1) w
)
update fact_counts c
   set position = (select max(m.position) from made m), facts = c.facts + (select count(*) from made m),
       tokens = c.tokens + (select sum(m.tokens) from made m)
 where c.tenant_id = $1 and c.scope_id = $2`

/** Copies of the facts up to the position, until the scope has as many as so many documents would have. */
export async function addFacts(stage: IngestStage, upTo: number, documents: number): Promise<void> {
  const place = [stage.tenantId, SCOPE]
  await asSuperuser(
    stage.services,
    async (client) => {
      const { rows } = await client.query<{ facts: number }>(
        'select facts::int from fact_counts where tenant_id = $1 and scope_id = $2',
        place,
      )
      const missing = documents * FACTS_A_DOCUMENT - (rows[0]?.facts ?? 0)
      if (missing > 0) await client.query(COPIED, [...place, upTo, missing])
      await client.query('analyze facts, fact_postings, fact_words, fact_witnesses, fact_counts')
    },
    stage.deployment.databaseName,
  )
}

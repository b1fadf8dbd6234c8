-- Finds the witnesses of these documents. It is declared to return one row, like find_claims.
create or replace function find_witnesses(tenant uuid, scope text, documents text[])
  returns table (part oid, place tid, fact_key bigint)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select w.part, w.place, w.fact_key from unnest(documents) u(document_id)
   cross join lateral (select w.tableoid as part, w.ctid as place, w.fact_key from fact_witnesses w
                        where w.document_id = u.document_id and w.tenant_id = tenant and w.scope_id = scope offset 0) w;
end $$;

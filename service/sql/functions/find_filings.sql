-- Finds the filings of all claims of these documents. It is declared as one row, like find_claims.
create or replace function find_filings(tenant uuid, scope text, documents text[]) returns table (part oid, place tid)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select k.part, k.place from find_claims(tenant, scope, documents) c
   cross join lateral unnest(c.keys, c.value_ranks) f(key, value_rank)
   cross join lateral (select k.tableoid as part, k.ctid as place from claim_keys k
                        where k.tenant_id = tenant and k.scope_id = scope and k.key = f.key
                          and k.value_rank = f.value_rank and k.claim_rank = c.claim_rank limit 1) k;
end $$;

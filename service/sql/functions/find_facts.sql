-- Finds these facts and what is stored about each. It is declared to return one row, like find_claims.
create or replace function find_facts(tenant uuid, scope text, wanted bigint[])
  returns table (part oid, place tid, fact_key bigint, filed_at bigint, witnesses integer, tokens integer, state text,
                 compared boolean, words bigint[])
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select f.part, f.place, f.fact_key, f.position, f.witnesses, f.tokens, f.state, f.compared, f.words
    from unnest(wanted) k(key)
   cross join lateral (select f.tableoid as part, f.ctid as place, f.* from facts f
                        where f.tenant_id = tenant and f.scope_id = scope and f.fact_key = k.key limit 1) f;
end $$;

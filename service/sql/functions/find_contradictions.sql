-- Finds the rows of these contradictions. It is declared as one row, like find_claims.
create or replace function find_contradictions(tenant uuid, scope text, ids uuid[]) returns table (id uuid, part oid, place tid)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select c.contradiction_id, c.part, c.place from unnest(ids) w(id)
   cross join lateral (select c.contradiction_id, c.tableoid as part, c.ctid as place from contradictions c
                        where c.contradiction_id = w.id and c.tenant_id = tenant and c.scope_id = scope limit 1) c;
end $$;

-- Finds the uncompared claims of groups whose claims are all of one document. It is declared to return one row, like
-- find_claims.
create or replace function find_uncompared(tenant uuid, scope text, groups bigint[])
  returns table (part oid, place tid)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select distinct c.part, c.place from unnest(groups) g(key)
   cross join lateral (select k.document_id, k.no from claim_keys k
                        where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key offset 0) k
   cross join lateral (select c.tableoid as part, c.ctid as place, c.compared from claims c
                        where c.tenant_id = tenant and c.scope_id = scope and c.document_id = k.document_id and c.no = k.no
                        limit 1) c
   where not c.compared;
end $$;

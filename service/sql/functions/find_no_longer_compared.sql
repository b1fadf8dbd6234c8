-- Finds the compared claims of these groups that are no longer compared: none of their other groups has a claim of
-- another document.
create or replace function find_no_longer_compared(tenant uuid, scope text, groups bigint[])
  returns table (part oid, place tid)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  with candidates as materialized (
    select distinct c.part, c.place, c.document_id, c.keys from unnest(groups) g(key)
     cross join lateral (select k.document_id, k.no from claim_keys k
                          where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key offset 0) k
     cross join lateral (select c.tableoid as part, c.ctid as place, c.document_id, c.keys, c.compared from claims c
                          where c.tenant_id = tenant and c.scope_id = scope and c.document_id = k.document_id and c.no = k.no
                          limit 1) c
     where c.compared
  ), met as materialized (
    select e.document_id, e.key
      from (select distinct c.document_id, k.key from candidates c cross join lateral unnest(c.keys) k(key)) e
     cross join lateral (select from claim_keys k where k.tenant_id = tenant and k.scope_id = scope and k.key = e.key
                            and k.document_id <> e.document_id order by k.value_rank, k.claim_rank limit 1) other
  )
  select c.part, c.place from candidates c
   where not exists (select from met m where m.document_id = c.document_id and m.key = any(c.keys));
end $$;

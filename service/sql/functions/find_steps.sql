-- Finds the comparison steps of these documents. It is declared as one row, like find_claims.
create or replace function find_steps(tenant uuid, scope text, documents text[]) returns table (part oid, place tid)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select s.part, s.place from unnest(documents) u(document_id)
   cross join lateral (select s.tableoid as part, s.ctid as place from comparison_steps s
                        where s.document_id = u.document_id and s.tenant_id = tenant and s.scope_id = scope offset 0) s;
end $$;

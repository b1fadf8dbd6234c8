-- Finds the groups of the claims of a document, and the number of its claims in each. It is declared to return one row,
-- like find_claims.
create or replace function find_groups_of(tenant uuid, scope text, document text) returns table (key bigint, claims integer)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select k.key, count(*)::integer from claims c cross join lateral unnest(c.keys) k(key)
   where c.tenant_id = tenant and c.scope_id = scope and c.document_id = document group by k.key order by k.key;
end $$;

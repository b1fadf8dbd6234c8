-- Finds the claims of these documents, with all their filings. It is declared to return one row, like all functions
-- here that unpack lists, so that rows are deleted where they were found: with a higher estimate, Postgres would read
-- all rows of the tenant.
create or replace function find_claims(tenant uuid, scope text, documents text[])
  returns table (part oid, place tid, claim_rank bigint, keys bigint[], value_ranks bigint[])
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select c.part, c.place, c.claim_rank, c.keys, c.value_ranks from unnest(documents) u(document_id)
   cross join lateral (select c.tableoid as part, c.ctid as place, c.claim_rank, c.keys, c.value_ranks from claims c
                        where c.tenant_id = tenant and c.scope_id = scope and c.document_id = u.document_id
                        offset 0) c;
end $$;

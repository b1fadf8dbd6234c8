-- Finds the rows of the claims of these documents, with all that is filed under them. It is declared as one row, as all
-- functions that unpack lists here are, so that what goes is deleted where it was found: with a guess at how much it is,
-- Postgres would rather read all rows of the tenant.
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

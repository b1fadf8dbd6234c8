-- Finds the contradictions of the claims of a document, except reported ones.
create or replace function find_contradictions_of(tenant uuid, scope text, document text) returns setof contradictions
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select c.* from contradictions c
   where c.document_a = document and c.tenant_id = tenant and c.scope_id = scope and c.kind <> 'reported'
  union all
  select c.* from contradictions c
   where c.document_b = document and c.document_a <> document and c.tenant_id = tenant and c.scope_id = scope
     and c.kind <> 'reported';
end $$;

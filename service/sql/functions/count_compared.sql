-- Updates the number of compared claims in the reading of a document.
create or replace function count_compared(tenant uuid, scope text, document text, of_version integer, more bigint) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
begin
  update readings r set compared = r.compared + more
   where r.tenant_id = tenant and r.scope_id = scope and r.document_id = document and r.version = of_version;
end $$;

-- Nobody else can give the document claims meanwhile: that takes the ticket which the result carries.
create or replace function replaces_claims(tenant uuid, items json) returns boolean
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return exists (
    select from attempt_items(items) i
     cross join lateral (select from claims c where c.tenant_id = tenant and c.scope_id = i.scope_id
                            and c.document_id = i.document_id limit 1) c
     where i.verdict = 'processed');
end $$;

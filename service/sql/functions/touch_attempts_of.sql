-- Touches attempts of one scope that take long: work is taken for lost by how long ago it was touched. The head is held, so
-- that no row moves while somebody else is about to change it where it was found.
create or replace function touch_attempts_of(tenant uuid, scope text, items json) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  touched record;
begin
  perform from scope_heads h where h.tenant_id = tenant and h.scope_id = scope for no key update of h;
  for touched in select * from deferred_items(items) loop
    update work w set touched_at = now()
     where w.tenant_id = tenant and w.scope_id = scope and w.document_id = touched.document_id
       and w.ticket = touched.ticket and w.attempt = touched.attempt and w.state = 'processing';
  end loop;
end $$;

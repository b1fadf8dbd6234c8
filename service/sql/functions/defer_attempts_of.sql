-- Defers the items of one tenant, with the reason why the language model gave no answer.
create or replace function defer_attempts_of(tenant uuid, items json, max_doublings integer, max_after_ms integer)
  returns setof settle_answer
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  deferred record;
  put_back record;
begin
  perform from (select distinct i.scope_id from deferred_items(items) i) s
    join scope_heads h on h.tenant_id = tenant and h.scope_id = s.scope_id
    order by h.scope_id for no key update of h;
  for deferred in select * from deferred_items(items) loop
    update work w
       set state = 'queued', ticket = null, touched_at = now(), attempt = w.attempt - 1, waiting_reason = deferred.reason,
           deferrals = w.deferrals + 1,
           not_before = now() + case when deferred.grows
                                     then least(deferred.after_ms * power(2, least(w.deferrals, max_doublings)), max_after_ms)
                                     else deferred.after_ms end * interval '1 ms'
     where w.tenant_id = tenant and w.scope_id = deferred.scope_id and w.document_id = deferred.document_id
       and w.ticket = deferred.ticket and w.attempt = deferred.attempt and w.state = 'processing'
    returning w.version, w.attempt into put_back;
    if found then
      update documents d set status = 'queued', attempt = put_back.attempt, updated_at = now()
       where d.tenant_id = tenant and d.scope_id = deferred.scope_id and d.document_id = deferred.document_id
         and d.status = 'processing';
      update document_versions v set status = 'queued'
       where v.tenant_id = tenant and v.scope_id = deferred.scope_id and v.document_id = deferred.document_id
         and v.version = put_back.version and v.status = 'processing';
      return next row(deferred.item, 'settled')::settle_answer;
    else
      return next row(deferred.item, 'stale')::settle_answer;
    end if;
  end loop;
end $$;

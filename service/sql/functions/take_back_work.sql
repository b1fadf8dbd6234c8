-- Takes back what is out of a scope, or of all scopes of a tenant: it waits again, its message and its late result match
-- nothing any more, and an attempt that was under way is not counted. Returns how many attempts that were.
create or replace function take_back_work(tenant uuid, scope text) returns integer
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  taken integer;
begin
  -- In the order in which everybody locks heads.
  perform from scope_heads h
    where h.tenant_id = tenant and (scope is null or h.scope_id = scope)
      and exists (select from work w where w.tenant_id = tenant and w.scope_id = h.scope_id
                    and w.shard = shard_of(tenant) and w.state <> 'queued')
    order by h.scope_id for no key update of h;
  with taken_back as (
    update work w set state = 'queued', ticket = null, touched_at = now(),
           attempt = w.attempt - (w.state = 'processing')::integer
     where w.tenant_id = tenant and w.shard = shard_of(tenant) and w.state <> 'queued'
       and (scope is null or w.scope_id = scope)
    returning w.scope_id, w.document_id, w.version, w.attempt
  ), marked_documents as (
    update documents d set status = 'queued', attempt = t.attempt, updated_at = now()
      from taken_back t
     where d.tenant_id = tenant and d.scope_id = t.scope_id and d.document_id = t.document_id
       and d.status = 'processing'
    returning 1
  ), marked_versions as (
    update document_versions v set status = 'queued'
      from taken_back t
     where v.tenant_id = tenant and v.scope_id = t.scope_id and v.document_id = t.document_id
       and v.version = t.version and v.status = 'processing'
  )
  select count(*) into taken from marked_documents;
  return taken;
end $$;

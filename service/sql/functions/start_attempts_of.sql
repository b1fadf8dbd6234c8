-- Begins the attempts of one tenant where the ticket matches and all switches allow it. The fence is the ticket; an item that
-- matches no row is `stale`.
create or replace function start_attempts_of(tenant uuid, items json, max_attempts integer, runs boolean)
  returns setof claim_answer
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  turn bigint;
begin
  perform from (select distinct i.scope_id from attempt_items(items) i) s
    join scope_heads h on h.tenant_id = tenant and h.scope_id = s.scope_id
    order by h.scope_id for no key update of h;
  turn := nextval('kernel_seqs');

  return query
  with batch as materialized (
    select * from attempt_items(items)
  ), found_all as materialized (
    select b.item, w.scope_id, w.document_id, w.version, w.epoch, w.attempt, h.head,
           w.attempt >= max_attempts as exhausted,
           runs
             and h.runtime_state = 'running' -- @point attempt.start.scope-switch
             as may_run,
           w.part as work_part, w.place as work_place, d.part as document_part, d.place as document_place,
           v.part as version_part, v.place as version_place
      from batch b
      cross join lateral (select *, w.tableoid as part, w.ctid as place from work w
                           where w.tenant_id = tenant and w.scope_id = b.scope_id and w.document_id = b.document_id
                             and w.ticket = b.ticket and w.state in ('ready', 'processing') limit 1) w
      cross join lateral (select * from scope_heads h
                           where h.tenant_id = tenant and h.scope_id = w.scope_id
                             and h.epoch = w.epoch -- @point attempt.start.epoch
                           limit 1) h
      cross join lateral (select d.tableoid as part, d.ctid as place from documents d
                           where d.tenant_id = tenant and d.scope_id = w.scope_id and d.document_id = w.document_id
                           limit 1) d
      cross join lateral (select v.tableoid as part, v.ctid as place from document_versions v
                           where v.tenant_id = tenant and v.scope_id = w.scope_id and v.document_id = w.document_id
                             and v.version = w.version limit 1) v
  ), found as materialized (
    -- The counter moves before the attempt begins: an attempt that takes its process down has been counted.
    select * from found_all where may_run
  ), put_back as (
    update work w set state = 'queued', ticket = null, touched_at = now()
      from found_all f
     where w.tenant_id = tenant and w.tableoid = f.work_part and w.ctid = f.work_place and not f.may_run
  ), put_back_documents as (
    update documents d set status = 'queued', updated_at = now()
      from found_all f
     where d.tenant_id = tenant and d.tableoid = f.document_part and d.ctid = f.document_place and not f.may_run
       and d.status = 'processing'
  ), put_back_versions as (
    update document_versions v set status = 'queued'
      from found_all f
     where v.tenant_id = tenant and v.tableoid = f.version_part and v.ctid = f.version_place
       and not f.may_run and v.status = 'processing'
  ), numbered as materialized (
    select f.*, head + row_number() over (partition by scope_id order by item) as seq from found f
  ), started as (
    update work w set state = 'processing', attempt = n.attempt + 1, touched_at = now()
      from numbered n
     where w.tenant_id = tenant and w.tableoid = n.work_part and w.ctid = n.work_place and not n.exhausted
  ), given_up as (
    delete from work w using numbered n
     where w.tenant_id = tenant and w.tableoid = n.work_part and w.ctid = n.work_place and n.exhausted
  ), marked_documents as (
    update documents d
       set status = case when n.exhausted then 'failed' else 'processing' end,
           attempt = case when n.exhausted then d.attempt else n.attempt + 1 end,
           error_code = case when n.exhausted then coalesce(d.error_code, 'worker_lost') else d.error_code end,
           error_stage = case when n.exhausted then 'read' else d.error_stage end,
           updated_at = now()
      from numbered n
     where d.tenant_id = tenant and d.tableoid = n.document_part and d.ctid = n.document_place
    returning d.scope_id, d.document_id, d.error_code, d.type, d.sealed_card, d.released_version
  ), marked_versions as (
    update document_versions v
       set status = case when n.exhausted then 'failed' else 'processing' end,
           started_at = coalesce(v.started_at, now()),
           ended_at = case when n.exhausted then now() end
      from numbered n
     where v.tenant_id = tenant and v.tableoid = n.version_part and v.ctid = n.version_place
    returning v.scope_id, v.document_id, v.sealed_text, v.characters
  ), logged as (
    insert into scope_log (tenant_id, scope_id, seq, epoch, kind, document_id, version, data, kernel_seq)
    select tenant, n.scope_id, n.seq, n.epoch,
           case when n.exhausted then 'document.failed' else 'document.processing' end, n.document_id, n.version,
           case when n.exhausted
                then jsonb_build_object('stage', 'read', 'attempt', n.attempt, 'reason', m.error_code)
                else jsonb_build_object('stage', 'read', 'attempt', n.attempt + 1) end, turn
      from numbered n join marked_documents m using (scope_id, document_id)
  ), moved_heads as (
    update scope_heads h set head = m.head
      from (select scope_id, max(seq) as head from numbered group by scope_id) m
     where h.tenant_id = tenant and h.scope_id = m.scope_id
  )
  select b.item,
         case when not f.may_run then 'paused' when n.item is null then 'stale' when n.exhausted then 'exhausted'
              else 'claimed' end,
         n.attempt + 1, m.error_code,
         case when not n.exhausted then v.sealed_text end,
         n.version, m.type, v.characters, case when not n.exhausted then m.sealed_card end,
         m.released_version = n.version, (select p.changes from policy_heads p where p.tenant_id = tenant)
    from batch b left join numbered n using (item) left join found_all f on f.item = b.item
    left join marked_documents m on m.scope_id = n.scope_id and m.document_id = n.document_id
    left join marked_versions v on v.scope_id = n.scope_id and v.document_id = n.document_id;
end $$;

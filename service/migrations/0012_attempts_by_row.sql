-- Every row that a batch changes is looked up by its whole key, once, and changed where it was found.
--
-- An update joined to the batch by key was left to the planner. Where a worker had connected while the tables were almost
-- empty, it read all documents of the tenant for each of the batch, by the first column of the key alone, and kept that
-- plan: 150 documents a second instead of 1,000, and fewer with each that came. A lateral look-up that is not merged into
-- the join leaves no choice. The head of the scope is locked by then, so that nothing moves between look-up and change.

create or replace function claim_attempts_of(tenant uuid, items json, max_attempts integer, runs boolean)
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
           w.attempt >= max_attempts as exhausted, runs and h.runtime_state = 'running' as may_run,
           w.part as work_part, w.place as work_place, d.part as document_part, d.place as document_place,
           v.part as version_part, v.place as version_place
      from batch b
      cross join lateral (select *, w.tableoid as part, w.ctid as place from work w
                           where w.tenant_id = tenant and w.scope_id = b.scope_id and w.document_id = b.document_id
                             and w.ticket = b.ticket and w.state in ('ready', 'processing') limit 1) w
      cross join lateral (select * from scope_heads h
                           where h.tenant_id = tenant and h.scope_id = w.scope_id and h.epoch = w.epoch limit 1) h
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
    returning d.scope_id, d.document_id, d.error_code
  ), marked_versions as (
    update document_versions v
       set status = case when n.exhausted then 'failed' else 'processing' end,
           started_at = coalesce(v.started_at, now()),
           ended_at = case when n.exhausted then now() end
      from numbered n
     where v.tenant_id = tenant and v.tableoid = n.version_part and v.ctid = n.version_place
    returning v.scope_id, v.document_id, v.sealed_text
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
         case when not n.exhausted then v.sealed_text end
    from batch b left join numbered n using (item) left join found_all f on f.item = b.item
    left join marked_documents m on m.scope_id = n.scope_id and m.document_id = n.document_id
    left join marked_versions v on v.scope_id = n.scope_id and v.document_id = n.document_id;
end $$;

create or replace function settle_attempts_of(tenant uuid, items json, content bytea) returns setof settle_answer
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
  ), found as materialized (
    select b.*, w.version, w.epoch, h.head, old.version as old_version, w.part as work_part, w.place as work_place,
           d.part as document_part, d.place as document_place, v.part as version_part, v.place as version_place,
           old_v.part as old_version_part, old_v.place as old_version_place,
           old.part as reading_part, old.place as reading_place
      from batch b
      -- Locked, because what is taken for lost is put back without a lock on the head.
      cross join lateral (select *, w.tableoid as part, w.ctid as place from work w
                           where w.tenant_id = tenant and w.scope_id = b.scope_id and w.document_id = b.document_id
                             and w.ticket = b.ticket and w.attempt = b.attempt and w.state = 'processing' limit 1
                             for no key update) w
      cross join lateral (select * from scope_heads h
                           where h.tenant_id = tenant and h.scope_id = w.scope_id and h.epoch = w.epoch limit 1) h
      -- The version whose reading this one replaces, in this very transaction; there is at most one.
      left join lateral (select *, r.tableoid as part, r.ctid as place from readings r
                          where b.verdict = 'processed' and r.tenant_id = tenant and r.scope_id = w.scope_id
                            and r.document_id = w.document_id and r.version < w.version limit 1) old on true
      cross join lateral (select d.tableoid as part, d.ctid as place from documents d
                           where d.tenant_id = tenant and d.scope_id = w.scope_id and d.document_id = w.document_id
                           limit 1) d
      cross join lateral (select v.tableoid as part, v.ctid as place from document_versions v
                           where v.tenant_id = tenant and v.scope_id = w.scope_id and v.document_id = w.document_id
                             and v.version = w.version limit 1) v
      left join lateral (select v.tableoid as part, v.ctid as place from document_versions v
                          where v.tenant_id = tenant and v.scope_id = w.scope_id and v.document_id = w.document_id
                            and v.version = old.version limit 1) old_v on true
  ), numbered as materialized (
    select f.*, head + sum(case when verdict = 'retry' then 0 when old_version is null then 1 else 2 end)
                         over (partition by scope_id order by item) as seq
      from found f
  ), released as (
    update work w set state = 'ready', touched_at = now()
      from numbered n
     where w.tenant_id = tenant and w.tableoid = n.work_part and w.ctid = n.work_place and n.verdict = 'retry'
  ), finished as (
    delete from work w using numbered n
     where w.tenant_id = tenant and w.tableoid = n.work_part and w.ctid = n.work_place and n.verdict <> 'retry'
  ), marked_documents as (
    update documents d
       set status = case n.verdict when 'retry' then 'queued' else n.verdict end,
           error_code = n.reason, error_stage = case when n.reason is not null then 'read' end, updated_at = now()
      from numbered n
     where d.tenant_id = tenant and d.tableoid = n.document_part and d.ctid = n.document_place
  ), marked_versions as (
    update document_versions v
       set status = case when n.verdict = 'retry' then 'queued' else n.verdict end,
           ended_at = case when n.verdict = 'retry' then null else now() end
      from numbered n
     where v.tenant_id = tenant and v.tableoid = n.version_part and v.ctid = n.version_place
  ), marked_old_versions as (
    update document_versions v set status = 'superseded', ended_at = now()
      from numbered n
     where v.tenant_id = tenant and v.tableoid = n.old_version_part and v.ctid = n.old_version_place
  ), forgotten as (
    delete from readings r using numbered n
     where r.tenant_id = tenant and r.tableoid = n.reading_part and r.ctid = n.reading_place
  ), kept as (
    insert into readings (tenant_id, scope_id, document_id, version, epoch, passages, sentences, sealed)
    select tenant, scope_id, document_id, version, epoch, passages, sentences,
           substring(content from sealed_at + 1 for sealed_length)
      from numbered where verdict = 'processed'
  ), logged as (
    insert into scope_log (tenant_id, scope_id, seq, epoch, kind, document_id, version, data, kernel_seq)
    select tenant, scope_id, seq, epoch, 'document.' || verdict, document_id, version,
           case verdict when 'processed'
                then jsonb_build_object('attempt', attempt, 'passages', passages, 'sentences', sentences)
                else jsonb_build_object('stage', 'read', 'attempt', attempt, 'reason', reason) end, turn
      from numbered where verdict <> 'retry'
    union all
    select tenant, scope_id, seq - 1, epoch, 'document.superseded', document_id, old_version,
           jsonb_build_object('superseded_by', version), turn
      from numbered where old_version is not null
  ), moved_heads as (
    update scope_heads h set head = m.head
      from (select scope_id, max(seq) as head from numbered group by scope_id) m
     where h.tenant_id = tenant and h.scope_id = m.scope_id
  )
  select b.item, case when n.item is null then 'stale' else 'settled' end from batch b left join numbered n using (item);
end $$;

-- The leases of a dispatcher that have not run out, kept from everybody who would take them over until the end of the
-- transaction. A function of its own, and the next one too: where a row turns out to have changed while it is being
-- locked, Postgres 18 sets the whole statement up a second time, and both share what decides which partitions are read
-- from row to row. The first to end frees it, and the server crashes. So whatever locks does not choose partitions so.
create function hold_leases(dispatcher text) returns setof smallint language plpgsql as $$
begin
  return query select shard from dispatch_leases
                where holder = dispatcher and expires_at > now() -- @point dispatch.lease
                order by shard for share;
end $$;

-- Marks what the dispatcher has chosen, and gives each its ticket; what somebody else is changing at the moment is left
-- for the next time. The plan is bound here too: planned while the backlog was small, the update read all of it at every
-- release. All rows of a tenant lie in one partition, so the place says enough.
create function release_rows(tenants uuid[], places tid[], expresses boolean[])
  returns table (nth bigint, tenant_id uuid, scope_id text, document_id text, version integer, ticket bigint,
                 express boolean)
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  tenant uuid;
begin
  for tenant in select distinct t from unnest(tenants) t loop
    return query
    with free as materialized (
      select w.ctid as place, c.nth, c.express
        from unnest(tenants, places, expresses) with ordinality c (tenant_id, place, express, nth)
        join work w on w.ctid = c.place
       where c.tenant_id = tenant and w.tenant_id = tenant and w.state = 'queued'
         for update of w skip locked
    )
    update work w set state = 'ready', ticket = nextval('work_tickets'), touched_at = now()
      from free f where w.tenant_id = tenant and w.ctid = f.place
    returning f.nth, w.tenant_id, w.scope_id, w.document_id, w.version, w.ticket, f.express;
  end loop;
end $$;

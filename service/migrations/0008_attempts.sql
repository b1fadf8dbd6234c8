-- Attempts: claimed, and settled or given up, many at a time. ticket and attempt are the fence: a message of another
-- release, a second delivery that was taken over, a reset or a newer version all match no row, so their writes have
-- no effect.

create type claim_answer as (
  item       integer,
  -- claimed; stale (somebody else's, or gone: drop the message); exhausted (the last attempt ended without a result,
  -- so the document has failed); paused (a switch forbids it: it waits in the backlog again, drop the message)
  outcome    text,
  attempt    integer,
  -- why the attempt before failed; null if none did, whatever became of its process
  reason     text,
  sealed     bytea
);

-- As in accept_items: declared as one row, so that every row of a table is looked up by its key.
create function attempt_items(items json)
  returns table (item integer, scope_id text, document_id text, ticket bigint, attempt integer, verdict text,
                 reason text, passages integer, sentences integer, sealed_at integer, sealed_length integer)
  language sql volatile rows 1 as $$
  select i.item, i.scope, i.document, i.ticket, i.attempt, i.verdict, i.reason, i.passages, i.sentences, i.sealed_at,
         i.sealed_length
    from json_to_recordset(items) as i(item integer, scope text, document text, ticket bigint, attempt integer,
           verdict text, reason text, passages integer, sentences integer, sealed_at integer, sealed_length integer)
$$;

create function claim_attempts(groups json, max_attempts integer) returns setof claim_answer
  language plpgsql as $$
declare
  entry        json;
  tenant       uuid;
  service_runs boolean;
  runs         boolean;
begin
  perform hold_service_switch();
  service_runs := (select state = 'running' from service_switch);
  for entry in select value from json_array_elements(groups) loop
    tenant := (entry ->> 'tenant')::uuid;
    perform set_config('app.tenant', tenant::text, true);
    perform hold_tenant_switch(tenant);
    runs := service_runs and not exists (select from tenant_switches where tenant_id = tenant and state <> 'running');
    return query select * from claim_attempts_of(tenant, entry -> 'items', max_attempts, runs);
  end loop;
end $$;

create function claim_attempts_of(tenant uuid, items json, max_attempts integer, runs boolean)
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
           w.attempt >= max_attempts as exhausted, runs and h.runtime_state = 'running' as may_run
      from batch b
      cross join lateral (select * from work w
                           where w.tenant_id = tenant and w.scope_id = b.scope_id and w.document_id = b.document_id
                             and w.ticket = b.ticket and w.state in ('ready', 'processing') limit 1) w
      cross join lateral (select * from scope_heads h
                           where h.tenant_id = tenant and h.scope_id = w.scope_id and h.epoch = w.epoch limit 1) h
  ), found as materialized (
    -- The counter moves before the attempt begins: an attempt that takes its process down has been counted.
    select * from found_all where may_run
  ), put_back as (
    update work w set state = 'queued', ticket = null, touched_at = now()
      from found_all f
     where w.tenant_id = tenant and w.scope_id = f.scope_id and w.document_id = f.document_id and not f.may_run
  ), put_back_documents as (
    update documents d set status = 'queued', updated_at = now()
      from found_all f
     where d.tenant_id = tenant and d.scope_id = f.scope_id and d.document_id = f.document_id and not f.may_run
       and d.status = 'processing'
  ), put_back_versions as (
    update document_versions v set status = 'queued'
      from found_all f
     where v.tenant_id = tenant and v.scope_id = f.scope_id and v.document_id = f.document_id
       and v.version = f.version and not f.may_run and v.status = 'processing'
  ), numbered as materialized (
    select f.*, head + row_number() over (partition by scope_id order by item) as seq from found f
  ), started as (
    update work w set state = 'processing', attempt = n.attempt + 1, touched_at = now()
      from numbered n
     where w.tenant_id = tenant and w.scope_id = n.scope_id and w.document_id = n.document_id and not n.exhausted
  ), given_up as (
    delete from work w using numbered n
     where w.tenant_id = tenant and w.scope_id = n.scope_id and w.document_id = n.document_id and n.exhausted
  ), marked_documents as (
    update documents d
       set status = case when n.exhausted then 'failed' else 'processing' end,
           attempt = case when n.exhausted then d.attempt else n.attempt + 1 end,
           error_code = case when n.exhausted then coalesce(d.error_code, 'worker_lost') else d.error_code end,
           error_stage = case when n.exhausted then 'read' else d.error_stage end,
           updated_at = now()
      from numbered n
     where d.tenant_id = tenant and d.scope_id = n.scope_id and d.document_id = n.document_id
    returning d.scope_id, d.document_id, d.error_code
  ), marked_versions as (
    update document_versions v
       set status = case when n.exhausted then 'failed' else 'processing' end,
           started_at = coalesce(v.started_at, now()),
           ended_at = case when n.exhausted then now() end
      from numbered n
     where v.tenant_id = tenant and v.scope_id = n.scope_id and v.document_id = n.document_id and v.version = n.version
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

create type settle_answer as (
  item    integer,
  -- settled; stale (the fence refused it)
  outcome text
);

create function settle_attempts(groups json, content bytea) returns setof settle_answer
  language plpgsql as $$
declare
  entry  json;
  tenant uuid;
begin
  for entry in select value from json_array_elements(groups) loop
    tenant := (entry ->> 'tenant')::uuid;
    perform set_config('app.tenant', tenant::text, true);
    return query select * from settle_attempts_of(tenant, entry -> 'items', content);
  end loop;
end $$;

-- verdict: processed, failed (for good), retry (the broker delivers the same message again later).
create function settle_attempts_of(tenant uuid, items json, content bytea) returns setof settle_answer
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
    select b.*, w.version, w.epoch, h.head, old.version as old_version
      from batch b
      cross join lateral (select * from work w
                           where w.tenant_id = tenant and w.scope_id = b.scope_id and w.document_id = b.document_id
                             and w.ticket = b.ticket and w.attempt = b.attempt and w.state = 'processing' limit 1) w
      cross join lateral (select * from scope_heads h
                           where h.tenant_id = tenant and h.scope_id = w.scope_id and h.epoch = w.epoch limit 1) h
      -- The version whose reading this one replaces, in this very transaction; there is at most one.
      left join lateral (select * from readings r
                          where b.verdict = 'processed' and r.tenant_id = tenant and r.scope_id = w.scope_id
                            and r.document_id = w.document_id and r.version < w.version limit 1) old on true
  ), numbered as materialized (
    select f.*, head + sum(case when verdict = 'retry' then 0 when old_version is null then 1 else 2 end)
                         over (partition by scope_id order by item) as seq
      from found f
  ), released as (
    update work w set state = 'ready', touched_at = now()
      from numbered n
     where w.tenant_id = tenant and w.scope_id = n.scope_id and w.document_id = n.document_id and n.verdict = 'retry'
  ), finished as (
    delete from work w using numbered n
     where w.tenant_id = tenant and w.scope_id = n.scope_id and w.document_id = n.document_id and n.verdict <> 'retry'
  ), marked_documents as (
    update documents d
       set status = case n.verdict when 'retry' then 'queued' else n.verdict end,
           error_code = n.reason, error_stage = case when n.reason is not null then 'read' end, updated_at = now()
      from numbered n
     where d.tenant_id = tenant and d.scope_id = n.scope_id and d.document_id = n.document_id
  ), marked_versions as (
    update document_versions v
       set status = case when v.version < n.version then 'superseded' when n.verdict = 'retry' then 'queued'
                         else n.verdict end,
           ended_at = case when n.verdict = 'retry' then null else now() end
      from numbered n
     where v.tenant_id = tenant and v.scope_id = n.scope_id and v.document_id = n.document_id
       and v.version in (n.version, n.old_version)
  ), forgotten as (
    delete from readings r using numbered n
     where r.tenant_id = tenant and r.scope_id = n.scope_id and r.document_id = n.document_id and r.version = n.old_version
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

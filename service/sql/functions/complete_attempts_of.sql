-- Completes the attempts of one tenant. The fence is ticket and attempt: an item that matches no row is `stale` and has
-- no effect. Each completion is an event, and so is each decision of a policy that was made with it.
create or replace function complete_attempts_of(tenant uuid, items json, content bytea, decisions_made json)
  returns setof settle_answer
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
    select b.*, w.version, w.epoch, h.head, old.version as old_version,
           -- False of a version that was superseded while it waited to be read again.
           old_v.status <> 'superseded' as supersedes, w.part as work_part, w.place as work_place,
           d.part as document_part, d.place as document_place, v.part as version_part, v.place as version_place,
           old_v.part as old_version_part, old_v.place as old_version_place,
           old.part as reading_part, old.place as reading_place
      from batch b
      -- Locked, because what is taken for lost is put back without a lock on the head.
      cross join lateral (select *, w.tableoid as part, w.ctid as place from work w
                           where w.tenant_id = tenant and w.scope_id = b.scope_id and w.document_id = b.document_id
                             and w.ticket = b.ticket
                             and w.attempt = b.attempt -- @point attempt.complete.number
                             and w.state = 'processing' limit 1
                             for no key update) w
      cross join lateral (select * from scope_heads h
                           where h.tenant_id = tenant and h.scope_id = w.scope_id
                             and h.epoch = w.epoch -- @point attempt.complete.epoch
                           limit 1) h
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
      left join lateral (select v.tableoid as part, v.ctid as place, v.status from document_versions v
                          where v.tenant_id = tenant and v.scope_id = w.scope_id and v.document_id = w.document_id
                            and v.version = old.version limit 1) old_v on true
  ), numbered as materialized (
    select f.*, head + sum(case when verdict = 'retry' then 0 when supersedes then 2 else 1 end)
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
           error_code = n.reason, error_stage = case when n.reason is not null then 'read' end,
           characters_read = coalesce((n.report ->> 'characters_read')::integer, 0), gap = n.gap,
           reader = (n.report ->> 'reader') || '/' || (n.report ->> 'reader_version'),
           decision_id = n.held_by, updated_at = now()
      from numbered n
     where d.tenant_id = tenant and d.tableoid = n.document_part and d.ctid = n.document_place
  ), marked_versions as (
    update document_versions v
       set status = case when n.verdict = 'retry' then 'queued' else n.verdict end,
           ended_at = case when n.verdict = 'retry' then null else now() end, report = n.report
      from numbered n
     where v.tenant_id = tenant and v.tableoid = n.version_part and v.ctid = n.version_place
  ), marked_old_versions as (
    update document_versions v set status = 'superseded', ended_at = now()
      from numbered n
     where v.tenant_id = tenant and v.tableoid = n.old_version_part and v.ctid = n.old_version_place and n.supersedes
  ), forgotten as (
    delete from readings r using numbered n
     where r.tenant_id = tenant and r.tableoid = n.reading_part and r.ctid = n.reading_place
  ), kept as (
    insert into readings (tenant_id, scope_id, document_id, version, epoch, passages, sentences, sealed)
    select tenant, scope_id, document_id, version, epoch, passages, sentences,
           substring(content from sealed_at + 1 for sealed_length)
      from numbered where verdict = 'processed'
    -- The same version is read again.
    on conflict (tenant_id, scope_id, document_id, version) do update
       set passages = excluded.passages, sentences = excluded.sentences, sealed = excluded.sealed, compared = 0
  ), logged as (
    insert into scope_log (tenant_id, scope_id, seq, epoch, kind, document_id, version, data, kernel_seq)
    select tenant, scope_id, seq, epoch, 'document.' || verdict, document_id, version,
           case verdict when 'processed'
                then jsonb_build_object('attempt', attempt, 'passages', passages, 'sentences', sentences, 'reading', report)
                when 'held' then jsonb_build_object('decision_id', held_by, 'reason', reason)
                else jsonb_build_object('stage', 'read', 'attempt', attempt, 'reason', reason) end, turn
      from numbered where verdict <> 'retry'
    union all
    select tenant, scope_id, seq - 1, epoch, 'document.superseded', document_id, old_version,
           jsonb_build_object('superseded_by', version), turn
      from numbered where supersedes
  ), noted as (
    -- Documents that were decided alike share a row.
    insert into decisions (tenant_id, scope_id, decision_id, epoch, point, result, decided_by, document_ids, policy_hash,
                           policies, seq)
    select tenant, n.scope_id, d.id, n.epoch, d.point, d.result, 'policy', array_agg(n.document_id order by n.item),
           decode(d.hash, 'hex'), d.policies, max(n.seq)
      from numbered n
     cross join lateral unnest(n.decided) u(id)
      join json_to_recordset(decisions_made) d(id uuid, point text, result text, hash text, policies text[]) on d.id = u.id
     group by n.scope_id, n.epoch, d.id, d.point, d.result, d.hash, d.policies
  ), moved_heads as (
    update scope_heads h set head = m.head
      from (select scope_id, max(seq) as head from numbered group by scope_id) m
     where h.tenant_id = tenant and h.scope_id = m.scope_id
  )
  select b.item, case when n.item is null then 'stale' else 'settled' end from batch b left join numbered n using (item);
end $$;

-- Policies that tenants write, and the documents that they hold.

-- Every text that was ever in force, newest in force; an empty one says that nothing is asked beyond what ships. The scope is
-- '' for those of the tenant itself.
create table policies (
  tenant_id  uuid not null,
  scope_id   text collate "C" not null,
  version    integer not null,
  text       text not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  primary key (tenant_id, scope_id, version)
) partition by hash (tenant_id);

-- How often anything of the tenant was changed. Whoever changes something holds this row until the commit, and whoever claims
-- a document is told the number: a process that remembers the policies of that number remembers the ones in force.
create table policy_heads (
  tenant_id uuid primary key,
  changes   integer not null
) partition by hash (tenant_id);

call partition_by_tenant('policies');
call partition_by_tenant('policy_heads');
call protect_tenant_table('policies');
call protect_tenant_table('policy_heads');

grant select, insert, delete on policies to concord_api;
grant select, insert, update, delete on policy_heads to concord_api;
grant select on policies, policy_heads to concord_worker;

-- Of the newest version: what holds it, and the version that a person let pass.
alter table documents add column decision_id uuid, add column released_version integer;

-- What a policy may ask about comes with the claim.
alter type claim_answer
  add attribute version integer,
  add attribute type text,
  add attribute characters integer,
  add attribute sealed_card bytea,
  add attribute released boolean,
  add attribute policy_changes integer;

drop function attempt_items(json);
create function attempt_items(items json)
  returns table (item integer, scope_id text, document_id text, ticket bigint, attempt integer, verdict text,
                 reason text, passages integer, sentences integer, sealed_at integer, sealed_length integer, held_by uuid,
                 decided uuid[], report jsonb, gap text)
  language sql volatile rows 1 as $$
  select i.item, i.scope, i.document, i.ticket, i.attempt, i.verdict, i.reason, i.passages, i.sentences, i.sealed_at,
         i.sealed_length, i.held_by, i.decided, i.report, i.gap
    from json_to_recordset(items) as i(item integer, scope text, document text, ticket bigint, attempt integer,
           verdict text, reason text, passages integer, sentences integer, sealed_at integer, sealed_length integer,
           held_by uuid, decided uuid[], report jsonb, gap text)
$$;

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

-- verdict: processed, failed (for good), held (by the decision `held_by`), retry. What policies decided on the way is written
-- beside it, each decision with the documents it was made of that are settled here.
drop function settle_attempts_of(uuid, json, bytea);
create function settle_attempts_of(tenant uuid, items json, content bytea, decisions_made json)
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

create or replace function settle_attempts(groups json, content bytea) returns setof settle_answer
  language plpgsql as $$
declare
  entry  json;
  tenant uuid;
begin
  for entry in select value from json_array_elements(groups) loop
    tenant := (entry ->> 'tenant')::uuid;
    perform set_config('app.tenant', tenant::text, true);
    return query select * from settle_attempts_of(tenant, entry -> 'items', content, entry -> 'decisions');
  end loop;
end $$;

create or replace function settle_readings(groups json, content bytea) returns setof settle_answer
  language plpgsql as $$
declare
  entry   json;
  tenant  uuid;
  answers settle_answer[];
begin
  for entry in select value from json_array_elements(groups) loop
    tenant := (entry ->> 'tenant')::uuid;
    perform set_config('app.tenant', tenant::text, true);
    if replaces_claims(tenant, entry -> 'items') then
      return query select item, 'compare' from attempt_items(entry -> 'items');
    else
      answers := array(select a from settle_attempts_of(tenant, entry -> 'items', content, entry -> 'decisions') a);
      return query select * from unnest(answers);
      -- What is stale has no effect, not even this one.
      perform note_convergence(tenant, s.scope_id)
         from (select distinct i.scope_id from attempt_items(entry -> 'items') i
                 join unnest(answers) a on a.item = i.item where a.outcome = 'settled') s;
    end if;
  end loop;
end $$;

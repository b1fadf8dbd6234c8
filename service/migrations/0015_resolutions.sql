-- What is decided, by whom and why, and what it means for contradictions.
--
-- A decision outlives what it was about: a contradiction that is withdrawn and found again is what was decided of it last. So
-- decisions are rows of their own, written once, and each side of a contradiction says which value and which documents it
-- stands for: sides may change their places, and what was upheld is a value.

create table decisions (
  tenant_id        uuid not null,
  scope_id         text collate "C" not null,
  decision_id      uuid not null,
  epoch            integer not null,
  point            text not null
    check (point in ('admit_document', 'settle_contradiction', 'process_document', 'settle_scope')),
  result           text not null
    check (result in ('allowed', 'held', 'refused', 'resolved', 'dismissed', 'reopened', 'released')),
  decided_by       text not null check (decided_by in ('policy', 'person', 'evidence')),
  contradiction_id uuid,
  document_ids     text[] not null default '{}',
  -- As the sides were then.
  holds            text check (holds in ('a', 'b', 'both', 'neither')),
  -- Rank of the value that was upheld, and the documents that contradicted it when it was. They are known; others are news.
  upheld           bigint,
  against          text[] not null default '{}',
  policy_hash      bytea,
  policies         text[] not null default '{}',
  -- Prefix of the key, or who else it was; null where nobody asked for it.
  actor            text,
  -- The person's name and the reason.
  sealed           bytea,
  -- Position of the event that tells of it.
  seq              bigint not null,
  decided_at       timestamptz not null default now(),
  primary key (decision_id, tenant_id, scope_id)
) partition by hash (tenant_id);

-- One row a point that anyone may ask for, as in scope_periods.
create table contradiction_periods (
  tenant_id uuid not null,
  scope_id  text collate "C" not null,
  seconds   integer not null check (seconds in (60, 300, 900, 3600, 86400)),
  begins_at timestamptz not null,
  opened    integer not null,
  resolved  integer not null,
  dismissed integer not null,
  reopened  integer not null,
  primary key (tenant_id, scope_id, seconds, begins_at)
) partition by hash (tenant_id);

do $$
declare
  target text;
  part   regclass;
begin
  foreach target in array array['decisions', 'contradiction_periods'] loop
    call partition_by_tenant(target::regclass);
    call protect_tenant_table(target::regclass);
  end loop;
  for part in select inhrelid from pg_inherits where inhparent = 'contradiction_periods'::regclass loop
    execute format('alter table %s set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)', part);
  end loop;
end $$;

-- Led by what only its own question names, or bound to a condition that only its own question states, as in 0013.
create index decisions_of_contradiction on decisions (contradiction_id, tenant_id, scope_id, seq);
create index decisions_by_age on decisions (tenant_id, scope_id, seq, decision_id) where seq > 0;

grant select, insert, delete on decisions to concord_api;
grant select, insert on decisions to concord_worker;
grant select, insert, update, delete on contradiction_periods to concord_api, concord_worker;

-- Of a finding that was compared: the claims that stand for its sides, the ranks of their values, and all documents that were
-- compared and are on that side. Null, and none, where it was reported or has not been compared since.
alter table contradictions
  add column claim_a     integer,
  add column claim_b     integer,
  add column value_a     bigint,
  add column value_b     bigint,
  add column documents_a text[] not null default '{}',
  add column documents_b text[] not null default '{}';

create function count_contradictions(tenant uuid, scope text, opened integer, resolved integer, dismissed integer,
                                     reopened integer) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
begin
  insert into contradiction_periods as p (tenant_id, scope_id, seconds, begins_at, opened, resolved, dismissed, reopened)
  select tenant, scope, w.seconds, date_bin(make_interval(secs => w.seconds), now(), 'epoch'), opened, resolved, dismissed,
         reopened
    from (values (60), (300), (900), (3600), (86400)) w(seconds)
  on conflict (tenant_id, scope_id, seconds, begins_at) do update
     set opened = p.opened + excluded.opened, resolved = p.resolved + excluded.resolved,
         dismissed = p.dismissed + excluded.dismissed, reopened = p.reopened + excluded.reopened;
  -- Those shorter than an hour are kept for eight days; somebody clears away now and then.
  if random() < 1.0 / 64 then
    delete from contradiction_periods p
     where p.tenant_id = tenant and p.scope_id = scope and p.seconds in (60, 300, 900)
       and p.begins_at < now() - interval '8 days';
  end if;
end $$;

create function note_new_contradictions() returns trigger language plpgsql as $$
declare
  found_in record;
begin
  for found_in in
    select tenant_id, scope_id, count(*)::integer as opened from new_rows where status = 'open' group by tenant_id, scope_id
  loop
    perform count_contradictions(found_in.tenant_id, found_in.scope_id, found_in.opened, 0, 0, 0);
  end loop;
  return null;
end $$;

create function note_decided_contradiction() returns trigger language plpgsql as $$
begin
  perform count_contradictions(new.tenant_id, new.scope_id, 0, (new.status = 'resolved')::integer,
    (new.status = 'dismissed')::integer, (new.status = 'open')::integer);
  return null;
end $$;

create trigger note_new after insert on contradictions
  referencing new table as new_rows for each statement execute function note_new_contradictions();
create trigger note_decided after update on contradictions
  for each row when (old.status is distinct from new.status) execute function note_decided_contradiction();

-- Who compares learns what became of the findings that were there.
alter type compared_content add attribute status text;

create or replace function read_comparison_of(tenant uuid, scope text, at integer, documents text[], nos integer[],
                                              groups bigint[])
  returns setof compared_content
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select at, c.document_id, c.no, c.version, c.sealed, null::bigint, null::uuid, null::bigint, null, null, null,
         null, null, null
    from unnest(documents, nos) w(document_id, no)
   cross join lateral (select * from claims c where c.tenant_id = tenant and c.scope_id = scope
                          and c.document_id = w.document_id and c.no = w.no limit 1) c;
  return query
  select at, null, null::integer, null::integer, null::bytea, c.group_key, c.contradiction_id, c.print,
         c.relation, c.kind, c.severity, c.document_a, c.document_b, c.status
    from unnest(groups) g(key)
   cross join lateral (select * from contradictions c where c.tenant_id = tenant and c.scope_id = scope
                          and c.group_key = g.key offset 0) c;
end $$;

create type verdict as (
  at               integer,
  contradiction_id uuid,
  result           text,
  upheld           bigint,
  against          text[]
);

-- What was decided last of these contradictions, whether they are there at the moment or not.
create function read_verdicts(groups json) returns setof verdict
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in select * from json_to_recordset(scopes) s(at integer, scope text, ids uuid[]) loop
      return query select * from read_verdicts_of(tenant, place.scope, place.at, place.ids);
    end loop;
  end loop;
end $$;

create function read_verdicts_of(tenant uuid, scope text, at integer, ids uuid[]) returns setof verdict
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select at, d.contradiction_id, d.result, d.upheld, d.against
    from unnest(ids) w(id)
   cross join lateral (select * from decisions d where d.contradiction_id = w.id and d.tenant_id = tenant
                          and d.scope_id = scope and d.result in ('resolved', 'dismissed', 'reopened')
                        order by d.seq desc limit 1) d;
end $$;

-- As before, and those that new evidence opens again. What an older release hands over says nothing of the latter.
create or replace function close_comparison(groups json, content bytea) returns void
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in
      select * from json_to_recordset(scopes) s(scope text, epoch integer, replaced text[], claims json, keys json,
        withdrawn uuid[], changed json, opened json, reopened json, events json)
    loop
      perform replace_claims(tenant, place.scope, place.epoch, place.replaced, place.claims, place.keys, content);
      perform replace_contradictions(tenant, place.scope, place.epoch, place.withdrawn, place.changed, place.opened,
        place.reopened, place.events, content);
    end loop;
  end loop;
end $$;

drop function replace_contradictions(uuid, text, integer, uuid[], json, json, json, bytea);

-- Whoever opens one, or opens it again, says which of the events tells of it, so that its position is known.
create function replace_contradictions(tenant uuid, scope text, epoch integer, withdrawn uuid[], changed json, opened json,
                                       reopened json, events json, content bytea) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  told integer := json_array_length(events);
  head bigint;
begin
  if told > 0 then
    update scope_heads h set head = h.head + told where h.tenant_id = tenant and h.scope_id = scope
    returning h.head - told into head;
    insert into scope_log (tenant_id, scope_id, epoch, seq, kind, document_id, version, data, kernel_seq)
    select tenant, scope, epoch, head + nth, kind, document, version, data, (select nextval('kernel_seqs'))
      from rows from (json_to_recordset(events) as (kind text, document text, version integer, data jsonb))
        with ordinality as e(kind, document, version, data, nth);
  end if;
  if cardinality(withdrawn) > 0 then
    delete from contradictions c using find_contradictions(tenant, scope, withdrawn) f
     where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place;
  end if;
  if json_array_length(changed) > 0 then
    update contradictions c
       set kind = n.kind, severity = n.severity, confidence = n.confidence, document_a = n.a, document_b = n.b,
           claim_a = n.claim_a, claim_b = n.claim_b, value_a = n.value_a, value_b = n.value_b,
           documents_a = coalesce(n.documents_a, '{}'), documents_b = coalesce(n.documents_b, '{}'),
           print = n.print, sealed = substring(content from n.at + 1 for n.length), updated_at = now()
      from find_contradictions(tenant, scope,
             array(select i.id from json_to_recordset(changed) as i(id uuid))) f
      join json_to_recordset(changed) as n(id uuid, kind text, severity text, confidence float, a text, b text,
             claim_a integer, claim_b integer, value_a bigint, value_b bigint, documents_a text[], documents_b text[],
             print bigint, at integer, length integer) on n.id = f.id
     where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place;
  end if;
  if json_array_length(opened) > 0 then
    insert into contradictions (tenant_id, scope_id, contradiction_id, epoch, group_key, relation, kind, severity,
                                confidence, status, document_a, document_b, claim_a, claim_b, value_a, value_b, documents_a,
                                documents_b, print, opened_seq, sealed)
    select tenant, scope, n.id, epoch, n.group_key, n.relation, n.kind, n.severity, n.confidence,
           coalesce(n.status, 'open'), n.a, n.b, n.claim_a, n.claim_b, n.value_a, n.value_b, coalesce(n.documents_a, '{}'),
           coalesce(n.documents_b, '{}'), n.print, head + n.event, substring(content from n.at + 1 for n.length)
      from json_to_recordset(opened) as n(id uuid, group_key bigint, relation text, kind text, severity text,
             confidence float, status text, a text, b text, claim_a integer, claim_b integer, value_a bigint, value_b bigint,
             documents_a text[], documents_b text[], print bigint, event integer, at integer, length integer);
  end if;
  if json_array_length(reopened) > 0 then
    insert into decisions (tenant_id, scope_id, decision_id, epoch, point, result, decided_by, contradiction_id,
                           document_ids, seq)
    select tenant, scope, n.decision, epoch, 'settle_contradiction', 'reopened', 'evidence', n.id, n.documents,
           head + n.event
      from json_to_recordset(reopened) as n(id uuid, decision uuid, documents text[], event integer);
    update contradictions c set status = 'open', updated_at = now()
      from find_contradictions(tenant, scope,
             array(select i.id from json_to_recordset(reopened) as i(id uuid))) f
     where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place and c.status <> 'open';
  end if;
end $$;

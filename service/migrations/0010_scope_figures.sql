-- Figures of a scope: how many of its documents stand where, and what happened to them in minutes, hours and days.
--
-- Triggers on documents note each change of status, a row for each kind of move however many documents made it, so nobody
-- who writes documents can forget to; now and then the rows of a scope are folded into its counts and periods. Whoever
-- writes documents of a scope holds its head, so nobody waits here who did not wait there. Deleting is not noted: whoever
-- empties a scope deletes its figures as well.

-- What is not folded yet. Rows have no name: nobody asks for one.
create table scope_moves (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  at          timestamptz not null default now(),
  -- Null for a new document.
  from_status text,
  to_status   text not null,
  documents   integer not null,
  -- How many of them were queued by it, one for each document.queued in the log.
  accepted    integer not null,
  -- How long they had been in the status before, where that is of interest: {bucket: documents}.
  durations   jsonb
) partition by hash (tenant_id);

create table scope_counts (
  tenant_id uuid not null,
  scope_id  text collate "C" not null,
  status    text not null,
  documents integer not null,
  primary key (tenant_id, scope_id, status)
) partition by hash (tenant_id);

-- One row a point that anyone may ask for, so that none is put together from others; none where nothing happened. Those
-- shorter than an hour are kept for eight days, the others for as long as there is the scope.
create table scope_periods (
  tenant_id uuid not null,
  scope_id  text collate "C" not null,
  seconds   integer not null check (seconds in (60, 300, 900, 3600, 86400)),
  begins_at timestamptz not null,
  accepted  integer not null,
  processed integer not null,
  failed    integer not null,
  -- How long documents had waited when their first attempt began, and how long the attempt took that ended them.
  waits     jsonb,
  takes     jsonb,
  primary key (tenant_id, scope_id, seconds, begins_at)
) partition by hash (tenant_id);

do $$
declare
  target text;
  part   regclass;
begin
  foreach target in array array['scope_moves', 'scope_counts', 'scope_periods'] loop
    call partition_by_tenant(target::regclass);
    call protect_tenant_table(target::regclass);
    -- Small and often written.
    for part in select inhrelid from pg_inherits where inhparent = target::regclass loop
      execute format('alter table %s set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)', part);
    end loop;
  end loop;
end $$;

create index scope_moves_of_scope on scope_moves (tenant_id, scope_id, at);

grant select, insert, delete on scope_moves to concord_api, concord_worker;
grant select, insert, update, delete on scope_counts, scope_periods to concord_api;
grant select, insert, update on scope_counts to concord_worker;
grant select, insert, update, delete on scope_periods to concord_worker;

-- Four to every doubling, from one millisecond on: bucket b holds what took more than 2^((b-1)/4) ms and at most 2^(b/4).
-- Its middle is wrong by a tenth at the most. The last one, 120, holds all above ten days.
create function duration_bucket(duration interval) returns integer
  language sql immutable parallel safe
  return least(120, ceil(4 / ln(2::float) * ln(greatest(1, 1000 * date_part('epoch', duration)))))::integer;

create function add_buckets(before jsonb, more jsonb) returns jsonb
  language sql immutable parallel safe
  return case when more is null then before when before is null then more
    else (select jsonb_object_agg(key, documents)
            from (select key, sum(value::integer) as documents
                    from (select * from jsonb_each_text(before) union all select * from jsonb_each_text(more)) each
                   group by key) summed) end;

create aggregate sum_buckets(jsonb) (sfunc = add_buckets, stype = jsonb);

create function fold_moves(tenant uuid, scope text) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
begin
  with moves as materialized (
    delete from scope_moves m where m.tenant_id = tenant and m.scope_id = scope returning m.*
  ), counted as (
    insert into scope_counts as c (tenant_id, scope_id, status, documents)
    select tenant, scope, status, sum(documents)
      from (select to_status as status, documents from moves
            union all select from_status, -documents from moves where from_status is not null) each
     group by status
    on conflict (tenant_id, scope_id, status) do update set documents = c.documents + excluded.documents
  ), minutes as materialized (
    select date_bin('1 minute', at, 'epoch') as minute, sum(accepted) as accepted,
           coalesce(sum(documents) filter (where to_status = 'processed'), 0) as processed,
           coalesce(sum(documents) filter (where to_status = 'failed'), 0) as failed
      from moves group by minute
  ), measured as (
    select minute, jsonb_object_agg(bucket, documents) filter (where waited) as waits,
           jsonb_object_agg(bucket, documents) filter (where not waited) as takes
      from (select date_bin('1 minute', at, 'epoch') as minute, to_status = 'processing' as waited, key as bucket,
                   sum(value::integer) as documents
              from moves cross join lateral jsonb_each_text(durations) group by 1, 2, 3) each
     group by minute
  )
  insert into scope_periods as p (tenant_id, scope_id, seconds, begins_at, accepted, processed, failed, waits, takes)
  select tenant, scope, w.seconds, date_bin(make_interval(secs => w.seconds), minute, 'epoch') as begins_at,
         sum(accepted), sum(processed), sum(failed), sum_buckets(waits), sum_buckets(takes)
    from minutes left join measured using (minute)
    cross join (values (60), (300), (900), (3600), (86400)) w(seconds)
   group by w.seconds, begins_at
  on conflict (tenant_id, scope_id, seconds, begins_at) do update
     set accepted = p.accepted + excluded.accepted, processed = p.processed + excluded.processed,
         failed = p.failed + excluded.failed, waits = add_buckets(p.waits, excluded.waits),
         takes = add_buckets(p.takes, excluded.takes);

  delete from scope_periods p
   where p.tenant_id = tenant and p.scope_id = scope and p.seconds in (60, 300, 900)
     and p.begins_at < now() - interval '8 days';
end $$;

-- Of the scopes that a statement wrote in, one in eight; called one time in eight. By chance, so that it costs little each
-- time, and what is not folded is some dozens of rows, a few hundred at the most.
create function fold_some(scopes text[]) returns void language plpgsql as $$
declare
  scope text;
begin
  foreach scope in array scopes loop
    if random() < 1.0 / 8 then perform fold_moves(app_tenant(), scope); end if;
  end loop;
end $$;

create function note_new_documents() returns trigger language plpgsql as $$
begin
  insert into scope_moves (tenant_id, scope_id, to_status, documents, accepted)
  select tenant_id, scope_id, status, count(*), count(*) filter (where status = 'queued')
    from new_rows group by tenant_id, scope_id, status;
  if random() < 1.0 / 8 then perform fold_some(array(select distinct scope_id from new_rows)); end if;
  return null;
end $$;

create function note_changed_documents() returns trigger
  language plpgsql
  -- The plan is kept, and a statement may change one document or a hundred thousand; those who call may have forbidden what
  -- the latter need.
  set enable_hashjoin = on set enable_nestloop = off as $$
begin
  -- Whoever accepts inserts or changes, and is asked about both.
  if not exists (select from new_rows) then return null; end if;
  insert into scope_moves (tenant_id, scope_id, from_status, to_status, documents, accepted, durations)
  select tenant_id, scope_id, from_status, to_status, sum(documents), sum(accepted),
         jsonb_object_agg(bucket, documents) filter (where bucket is not null)
    from (select tenant_id, scope_id, o.status as from_status, n.status as to_status,
                 case when o.status = 'queued' and n.status = 'processing' and n.attempt = 1
                        or o.status = 'processing' and n.status in ('processed', 'failed')
                      then duration_bucket(n.updated_at - o.updated_at) end as bucket,
                 count(*) as documents, count(*) filter (where n.seq is distinct from o.seq) as accepted
            from new_rows n join old_rows o using (tenant_id, scope_id, document_id)
           where n.status <> o.status or n.seq is distinct from o.seq
           group by 1, 2, 3, 4, 5) each
   group by 1, 2, 3, 4;
  if random() < 1.0 / 8 then perform fold_some(array(select distinct scope_id from new_rows)); end if;
  return null;
end $$;

-- Documents that were there before are counted once; what happened to them is not made up. The table owner is bound by
-- row-level security as well, so it is lifted for this one statement inside this transaction, which keeps everybody else
-- from documents until it ends.
alter table documents no force row level security;
alter table scope_counts no force row level security;
insert into scope_counts (tenant_id, scope_id, status, documents)
select tenant_id, scope_id, status, count(*) from documents group by tenant_id, scope_id, status;
alter table documents force row level security;
alter table scope_counts force row level security;

create trigger note_new after insert on documents
  referencing new table as new_rows for each statement execute function note_new_documents();
create trigger note_changed after update on documents
  referencing old table as old_rows new table as new_rows for each statement execute function note_changed_documents();

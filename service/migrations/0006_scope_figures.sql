-- Figures of a scope: moves of documents, and what they are counted into.

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

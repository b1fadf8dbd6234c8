-- What people and policies decided of contradictions.

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

create type verdict as (
  at               integer,
  contradiction_id uuid,
  result           text,
  upheld           bigint,
  against          text[],
  decided_by text,
  policy_hash bytea,
  policies text[],
  -- Of a row that names no contradiction: how often the policies of the tenant were changed.
  policy_changes integer,
  document_ids text[]
);

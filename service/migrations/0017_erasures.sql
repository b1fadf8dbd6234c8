-- Resets and deletions that go in pieces.

create table erasures (
  tenant_id           uuid not null,
  scope_id            text collate "C" not null,
  kind                text not null check (kind in ('reset', 'delete')),
  -- The generation that began with it.
  epoch               integer not null,
  -- What was deleted so far, as the caller and the log are told.
  documents           bigint not null default 0,
  claims              bigint not null default 0,
  contradictions      bigint not null default 0,
  idempotency_records bigint not null default 0,
  log_entries         bigint not null default 0,
  -- Who asked for it, for the audit log.
  tier                text not null,
  actor               text not null,
  started_at          timestamptz not null default now(),
  -- When the last piece was deleted.
  touched_at          timestamptz not null default now(),
  primary key (tenant_id, scope_id)
) partition by hash (tenant_id);

call partition_by_tenant('erasures');
call protect_tenant_table('erasures');

grant select, insert, update, delete on erasures to concord_api;

-- Which scopes are being erased and for how long: ids and times, no content.
create policy kernel_reads on erasures for select to concord_kernel using (true);

grant select on erasures to concord_kernel;

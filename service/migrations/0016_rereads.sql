-- Rereads of a scope.

create table rereads (
  tenant_id    uuid not null,
  scope_id     text collate "C" not null,
  -- The documents that were named; null where all of the scope are meant.
  document_ids text[] collate "C",
  -- Only those that this reader read, as name or as name and version: rules, model/NAME/3; null where none was named.
  read_by      text,
  state        text not null check (state in ('running', 'ended')),
  -- Documents up to this id were looked at.
  looked_to    text collate "C" not null default '',
  -- Documents that were queued and had not been read when a worker last looked.
  under_way    text[] collate "C" not null default '{}',
  queued       bigint not null default 0,
  requested_at timestamptz not null default now(),
  ended_at     timestamptz,
  -- When a worker looks again.
  due_at       timestamptz not null default now(),
  primary key (tenant_id, scope_id)
) partition by hash (tenant_id);

call partition_by_tenant('rereads'::regclass);
call protect_tenant_table('rereads'::regclass);

create index rereads_due on rereads (due_at) where state = 'running';

grant select, insert, update, delete on rereads to concord_api;
grant select, update on rereads to concord_worker;

-- A worker queues them.
grant insert on work to concord_worker;

grant usage on sequence work_positions to concord_worker;

-- A reading takes the place of the one before, of the same version.
grant update on readings to concord_worker;

create policy kernel_reads on rereads for select to concord_kernel using (true);

grant select (tenant_id, scope_id, state, due_at) on rereads to concord_kernel;

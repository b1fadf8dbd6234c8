-- Runtime switches of service, tenant and scope, and what outlives a scope.

create table service_switch (
  only_row   boolean primary key default true check (only_row),
  state      text not null default 'running' check (state in ('running', 'paused', 'stopped')),
  generation integer not null default 0,
  changed_at timestamptz,
  changed_by text,
  -- Since when work runs again: what is released grows from there, so that a long backlog does not come all at once.
  running_since timestamptz
);

insert into service_switch default values;

-- A tenant without a row has never been moved, and runs.
create table tenant_switches (
  tenant_id  uuid not null,
  state      text not null default 'running' check (state in ('running', 'paused', 'stopped')),
  generation integer not null default 0,
  changed_at timestamptz,
  changed_by text,
  primary key (tenant_id)
) partition by hash (tenant_id);

call partition_by_tenant('tenant_switches');
call protect_tenant_table('tenant_switches');

-- What happened to no scope in particular, for the operator's stream. Numbered like the entries of scope logs.
create table kernel_log (
  kernel_seq bigint primary key default nextval('kernel_seqs'),
  kind       text not null,
  subject    text not null,
  data       jsonb not null default '{}',
  at         timestamptz not null default clock_timestamp()
);

grant select, update on service_switch to concord_api;
grant select, insert, update, delete on tenant_switches to concord_api;
grant select, insert on kernel_log to concord_api;
grant select on service_switch, tenant_switches to concord_worker;

create policy kernel_reads on tenant_switches for select to concord_kernel using (true);

grant select on service_switch, tenant_switches, kernel_log to concord_kernel;

-- A scope that was deleted, by its last generation: one of the same name goes on from there, so that a key or a result of
-- the old one, wherever it is remembered, can never be taken for one of the new.
create table ended_scopes (
  tenant_id uuid not null,
  scope_id  text collate "C" not null,
  epoch     integer not null,
  primary key (tenant_id, scope_id)
) partition by hash (tenant_id);

call partition_by_tenant('ended_scopes');
call protect_tenant_table('ended_scopes');

grant select, insert, update, delete on ended_scopes to concord_api;

-- To empty a scope, and to end one, or a tenant.
grant update (epoch), delete on scopes to concord_api;

grant delete on scope_keys, tenants to concord_api;
grant select on sequence work_positions to concord_kernel;
grant insert on kernel_log to concord_kernel;
grant usage on sequence kernel_seqs to concord_kernel;

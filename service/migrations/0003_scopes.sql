-- Scopes, and the wrapped data key with which all content of a scope is sealed.

create table scopes (
  tenant_id    uuid not null references tenants on delete cascade,
  scope_id     text collate "C" not null check (scope_id ~ '^[a-z0-9][a-z0-9-]*$' and length(scope_id) <= 120),
  display_name text,
  epoch        integer not null default 0 check (epoch >= 0),
  created_at   timestamptz not null default now(),
  created_by   text not null,
  primary key (tenant_id, scope_id)
) partition by hash (tenant_id);

-- One row a generation; destroying it makes everything sealed in that generation unreadable, backups included.
create table scope_keys (
  tenant_id     uuid not null,
  scope_id      text collate "C" not null,
  epoch         integer not null,
  master_key_id text not null,
  wrapped_key   bytea not null,
  created_at    timestamptz not null default now(),
  -- Claims are filed under keyed hashes, and the key of these is derived from the master key that wraps the data key of the scope. So that
  -- another master key can wrap it without filing the claims anew, the key of the hashes is kept beside it then, sealed with the data key.
  -- Null: it is derived from the master key that `master_key_id` names.
  sealed_print_key bytea,
  primary key (tenant_id, scope_id, epoch),
  foreign key (tenant_id, scope_id) references scopes on delete cascade
) partition by hash (tenant_id);

call partition_by_tenant('scopes');
call partition_by_tenant('scope_keys');
call protect_tenant_table('scopes');
call protect_tenant_table('scope_keys');

grant select, insert on scopes, scope_keys to concord_api;
grant select on scopes, scope_keys to concord_worker;
grant update (master_key_id, wrapped_key, sealed_print_key) on scope_keys to concord_api;

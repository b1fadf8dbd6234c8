-- Policies of tenants.

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

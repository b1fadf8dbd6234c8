-- Certificates of settled scopes.

create table certificates (
  tenant_id      uuid not null,
  scope_id       text collate "C" not null,
  -- Its place in the chain of the scope.
  number         integer not null check (number > 0),
  certificate_id uuid not null,
  epoch          integer not null,
  log_position   bigint not null,
  -- Of the whole certificate: what the next one refers to.
  hash           bytea not null check (octet_length(hash) = 32),
  -- As it was signed; jsonb would write its numbers anew.
  certificate    json not null,
  issued_at      timestamptz not null,
  primary key (tenant_id, scope_id, number)
) partition by hash (tenant_id);

call partition_by_tenant('certificates');
call protect_tenant_table('certificates');

grant select, insert, delete on certificates to concord_api;

-- Who owns data, and the keys that prove it.

create table tenants (
  tenant_id  uuid primary key,
  name       text not null,
  created_at timestamptz not null default now()
);

-- tenant_id is null for keys of the admin and internals tiers.
create table keys (
  key_id       text primary key check (key_id ~ '^[0-9A-Za-z]{10}$'),
  tier         text not null check (tier in ('tenant', 'admin', 'internals')),
  tenant_id    uuid references tenants on delete cascade,
  name         text,
  -- HMAC-SHA-256 of the whole key under a pepper that is not in this database.
  digest       bytea not null check (octet_length(digest) = 32),
  created_at   timestamptz not null default now(),
  created_by   text not null,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz,
  -- Which pepper made the digest.
  pepper_id text check (pepper_id ~ '^[0-9a-f]{8}$'),
  check ((tier = 'tenant') = (tenant_id is not null))
);

create index keys_of_tenant on keys (tenant_id, created_at, key_id);
create index tenants_in_order on tenants (created_at, tenant_id);

call protect_tenant_table('tenants');
call protect_tenant_table('keys');

-- A tenant's own row and keys, inside a transaction of that tenant. The digest can be written but not read back.
grant select, insert on tenants to concord_api;

-- Needed to lock the row while something of the tenant is counted.
grant update (name) on tenants to concord_api;

grant insert on keys to concord_api;

grant select (key_id, tier, tenant_id, name, created_at, created_by, expires_at, revoked_at, last_used_at)
  on keys to concord_api;

grant update (expires_at, revoked_at) on keys to concord_api;

-- The registrar is the API's second hat: it finds the key that somebody presents before any tenant is known,
-- lists tenants by name for an administrator, and keeps the keys that belong to no tenant. It sees no content.
create policy registrar_reads on tenants for select to concord_registrar using (true);

create policy registrar_reads on keys for select to concord_registrar using (true);
create policy registrar_issues on keys for insert to concord_registrar with check (tenant_id is null);
create policy registrar_marks on keys for update to concord_registrar using (true) with check (true);

grant select on tenants, keys to concord_registrar;
grant insert on keys to concord_registrar;
grant update (expires_at, revoked_at, last_used_at) on keys to concord_registrar;

create unlogged table gateway_nonces (
  nonce   text primary key,
  seen_at timestamptz not null default now()
);

create index gateway_nonces_by_age on gateway_nonces (seen_at);

grant select, insert, delete on gateway_nonces to concord_registrar;
grant update (digest, pepper_id) on keys to concord_registrar;

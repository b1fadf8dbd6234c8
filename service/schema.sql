-- Written by tools/dump-schema.ts from a freshly migrated database. Do not edit.

-- Tables
table gateway_nonces unlogged
table keys row-security forced
table schema_migrations
table scope_keys partition by HASH (tenant_id) row-security forced partitions 16
table scopes partition by HASH (tenant_id) row-security forced partitions 16
table tenants row-security forced

-- Columns
gateway_nonces.nonce text not null
gateway_nonces.seen_at timestamp with time zone not null default now()
keys.key_id text not null
keys.tier text not null
keys.tenant_id uuid
keys.name text
keys.digest bytea not null
keys.created_at timestamp with time zone not null default now()
keys.created_by text not null
keys.expires_at timestamp with time zone
keys.revoked_at timestamp with time zone
keys.last_used_at timestamp with time zone
schema_migrations.version integer not null
schema_migrations.name text not null
schema_migrations.checksum text not null
schema_migrations.breaking boolean not null
schema_migrations.applied_at timestamp with time zone not null default now()
scope_keys.tenant_id uuid not null
scope_keys.scope_id text collate C not null
scope_keys.epoch integer not null
scope_keys.master_key_id text not null
scope_keys.wrapped_key bytea not null
scope_keys.created_at timestamp with time zone not null default now()
scopes.tenant_id uuid not null
scopes.scope_id text collate C not null
scopes.display_name text
scopes.epoch integer not null default 0
scopes.created_at timestamp with time zone not null default now()
scopes.created_by text not null
tenants.tenant_id uuid not null
tenants.name text not null
tenants.created_at timestamp with time zone not null default now()

-- Constraints
gateway_nonces gateway_nonces_pkey PRIMARY KEY (nonce)
keys keys_check CHECK (((tier = 'tenant'::text) = (tenant_id IS NOT NULL)))
keys keys_digest_check CHECK ((octet_length(digest) = 32))
keys keys_key_id_check CHECK ((key_id ~ '^[0-9A-Za-z]{10}$'::text))
keys keys_pkey PRIMARY KEY (key_id)
keys keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id) ON DELETE CASCADE
keys keys_tier_check CHECK ((tier = ANY (ARRAY['tenant'::text, 'admin'::text, 'internals'::text])))
schema_migrations schema_migrations_pkey PRIMARY KEY (version)
scope_keys scope_keys_pkey PRIMARY KEY (tenant_id, scope_id, epoch)
scope_keys scope_keys_tenant_id_scope_id_fkey FOREIGN KEY (tenant_id, scope_id) REFERENCES scopes(tenant_id, scope_id) ON DELETE CASCADE
scopes scopes_epoch_check CHECK ((epoch >= 0))
scopes scopes_pkey PRIMARY KEY (tenant_id, scope_id)
scopes scopes_scope_id_check CHECK (((scope_id ~ '^[a-z0-9][a-z0-9-]*$'::text) AND (length(scope_id) <= 120)))
scopes scopes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id) ON DELETE CASCADE
tenants tenants_pkey PRIMARY KEY (tenant_id)

-- Indexes
CREATE INDEX gateway_nonces_by_age ON public.gateway_nonces USING btree (seen_at)
CREATE INDEX keys_of_tenant ON public.keys USING btree (tenant_id, created_at, key_id)
CREATE INDEX tenants_in_order ON public.tenants USING btree (created_at, tenant_id)
CREATE UNIQUE INDEX gateway_nonces_pkey ON public.gateway_nonces USING btree (nonce)
CREATE UNIQUE INDEX keys_pkey ON public.keys USING btree (key_id)
CREATE UNIQUE INDEX schema_migrations_pkey ON public.schema_migrations USING btree (version)
CREATE UNIQUE INDEX scope_keys_pkey ON ONLY public.scope_keys USING btree (tenant_id, scope_id, epoch)
CREATE UNIQUE INDEX scopes_pkey ON ONLY public.scopes USING btree (tenant_id, scope_id)
CREATE UNIQUE INDEX tenants_pkey ON public.tenants USING btree (tenant_id)

-- Policies
keys registrar_issues for insert to concord_registrar with check (tenant_id IS NULL)
keys registrar_marks for update to concord_registrar using true with check true
keys registrar_reads for select to concord_registrar using true
keys tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
scope_keys tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
scopes tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))
tenants registrar_reads for select to concord_registrar using true
tenants tenant_rows for all to concord_api, concord_worker using (tenant_id = ( SELECT app_tenant() AS app_tenant)) with check (tenant_id = ( SELECT app_tenant() AS app_tenant))

-- Grants on tables
gateway_nonces concord_registrar delete, insert, select
keys concord_api insert
keys concord_registrar insert, select
schema_migrations concord_api select
schema_migrations concord_registrar select
schema_migrations concord_worker select
scope_keys concord_api insert, select
scope_keys concord_worker select
scopes concord_api insert, select
scopes concord_worker select
tenants concord_api insert, select
tenants concord_registrar select

-- Grants on columns
keys concord_api select key_id, tier, tenant_id, name, created_at, created_by, expires_at, revoked_at, last_used_at
keys concord_api update expires_at, revoked_at
keys concord_registrar update expires_at, revoked_at, last_used_at
tenants concord_api update name

-- Functions
function app_tenant()
procedure partition_by_tenant(IN target regclass)
procedure protect_tenant_table(IN target regclass)

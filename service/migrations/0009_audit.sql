-- The audit log of the operator, a chain.

create table audit_log (
  entry_id  uuid primary key,
  -- By the clock of the process that recorded it. The order of the log is that of seq.
  at        timestamptz not null,
  action    text not null check (action ~ '^[a-z]+\.[a-z]+$'),
  tier      text not null,
  actor     text not null,
  -- Null where it concerns no tenant, or no scope.
  tenant_id uuid,
  scope_id  text collate "C",
  subject   text,
  -- As it was written, to the letter, since that is what the MAC is over; jsonb would write it anew.
  details   json not null check (json_typeof(details) = 'object'),
  -- Which master key the key of the MAC was derived from.
  mac_key   text not null,
  mac       bytea not null check (octet_length(mac) = 32),
  seq       bigint unique check (seq > 0),
  chain_key text,
  chain_mac bytea check (octet_length(chain_mac) = 32),
  check ((seq is null) = (chain_key is null) and (seq is null) = (chain_mac is null))
);

-- What has no place yet, in the order in which it gets one.
create index audit_log_unchained on audit_log (at, entry_id) where seq is null;

-- The last place that was given: what is cut off the end of the log is missed here.
create table audit_head (
  only_row  boolean primary key default true check (only_row),
  seq       bigint not null default 0,
  chain_mac bytea not null default decode(repeat('00', 32), 'hex') check (octet_length(chain_mac) = 32),
  -- Null until the first place is given.
  mac_key   text,
  mac       bytea check (octet_length(mac) = 32)
);

insert into audit_head default values;

-- It tells of tenants and belongs to the operator. Of a tenant one may record only in a transaction of that tenant; of none,
-- in any. Nobody who records may read, not even what he recorded.
call protect_tenant_table('audit_log');

create policy service_records on audit_log for insert to concord_api, concord_worker with check (tenant_id is null);
create policy registrar_records on audit_log for insert to concord_registrar with check (tenant_id is null);

grant insert (entry_id, at, action, tier, actor, tenant_id, scope_id, subject, details, mac_key, mac)
  on audit_log to concord_api, concord_worker, concord_registrar;

-- The kernel gives places, and reads for the operator.
create policy kernel_reads on audit_log for select to concord_kernel using (true);

create policy kernel_chains on audit_log for update to concord_kernel using (seq is null) with check (seq is not null);

grant select, update (seq, chain_key, chain_mac) on audit_log to concord_kernel;
grant select, update (seq, chain_mac, mac_key, mac) on audit_head to concord_kernel;

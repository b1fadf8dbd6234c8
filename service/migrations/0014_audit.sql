-- The audit log: who did what to keys, tenants, scopes, switches and documents, in one chain over the whole service.
--
-- An entry is inserted in the very transaction of what it tells of, so it is there exactly if that happened, and nobody
-- waits for anybody to insert one. It carries a MAC of its own from then on. A dispatcher gives it its place afterwards:
-- the next number, and a MAC over the one before, the number and its own. The key is in no table.
--
-- Entries outlive what they tell of: ids, counts and kinds, never content. Of a document not even the id, which may be
-- any text; a keyed hash of it.

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

-- Rights do not reach the owner, and a place is given once: what grants cannot say, triggers do.
create function keep_audit_entry() returns trigger language plpgsql as $$
begin
  if old.seq is null
     and (new.entry_id, new.at, new.action, new.tier, new.actor, new.tenant_id, new.scope_id, new.subject,
          new.details::text, new.mac_key, new.mac)
         is not distinct from
         (old.entry_id, old.at, old.action, old.tier, old.actor, old.tenant_id, old.scope_id, old.subject,
          old.details::text, old.mac_key, old.mac) then
    return new;
  end if;
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;

create function keep_audit_head() returns trigger language plpgsql as $$
begin
  if new.seq > old.seq then
    return new;
  end if;
  raise exception 'the head of the audit log only moves on' using errcode = 'insufficient_privilege';
end $$;

create function refuse_audit_removal() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger kept before update on audit_log for each row execute function keep_audit_entry();
create trigger not_removed before delete or truncate on audit_log for each statement execute function refuse_audit_removal();
create trigger kept before update on audit_head for each row execute function keep_audit_head();
create trigger not_removed before delete or truncate on audit_head for each statement execute function refuse_audit_removal();

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

-- The switches above the scope: may work run in the whole service, and of a tenant. The strictest one wins.
--
-- A move is a barrier: whoever claims work holds a shared lock on the switches above the scopes he claims in until his
-- commit, and whoever moves one holds it alone. So once a move is answered, nothing starts that it forbids. Advisory
-- locks, because a row lock would write to the same row at every claim.

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

create function hold_service_switch() returns void language sql volatile as $$
  select pg_advisory_xact_lock_shared(1, 0)
$$;
create function hold_tenant_switch(tenant uuid) returns void language sql volatile as $$
  select pg_advisory_xact_lock_shared(2, hashtext(tenant::text))
$$;
create function hold_service_switch_alone() returns void language sql volatile as $$
  select pg_advisory_xact_lock(1, 0)
$$;
create function hold_tenant_switch_alone(tenant uuid) returns void language sql volatile as $$
  select pg_advisory_xact_lock(2, hashtext(tenant::text))
$$;

-- Takes back what is out of a scope, or of all scopes of a tenant: it waits again, its message and its late result match
-- nothing any more, and an attempt that was under way is not counted. Returns how many attempts that were.
create function take_back_work(tenant uuid, scope text) returns integer
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  taken integer;
begin
  -- In the order in which everybody locks heads.
  perform from scope_heads h
    where h.tenant_id = tenant and (scope is null or h.scope_id = scope)
      and exists (select from work w where w.tenant_id = tenant and w.scope_id = h.scope_id
                    and w.shard = shard_of(tenant) and w.state <> 'queued')
    order by h.scope_id for no key update of h;
  with taken_back as (
    update work w set state = 'queued', ticket = null, touched_at = now(),
           attempt = w.attempt - (w.state = 'processing')::integer
     where w.tenant_id = tenant and w.shard = shard_of(tenant) and w.state <> 'queued'
       and (scope is null or w.scope_id = scope)
    returning w.scope_id, w.document_id, w.version, w.attempt
  ), marked_documents as (
    update documents d set status = 'queued', attempt = t.attempt, updated_at = now()
      from taken_back t
     where d.tenant_id = tenant and d.scope_id = t.scope_id and d.document_id = t.document_id
       and d.status = 'processing'
    returning 1
  ), marked_versions as (
    update document_versions v set status = 'queued'
      from taken_back t
     where v.tenant_id = tenant and v.scope_id = t.scope_id and v.document_id = t.document_id
       and v.version = t.version and v.status = 'processing'
  )
  select count(*) into taken from marked_documents;
  return taken;
end $$;

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

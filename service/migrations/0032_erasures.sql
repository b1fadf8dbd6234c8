-- A reset or a deletion of a large scope goes in short transactions.
--
-- A reset deleted all rows of its scope in one transaction, which held the head for as long as there was to delete: a minute for 500,000
-- documents. Now the first transaction raises the epoch, destroys the data key and marks the head. From then on nothing of the scope can be
-- read, written or started. The rows go in pieces, and the last transaction makes the new key and tells of the reset. An API process that
-- ends meanwhile leaves a row in erasures, and any API process goes on from there.

alter table scope_heads add column erasing boolean not null default false;

create table erasures (
  tenant_id           uuid not null,
  scope_id            text collate "C" not null,
  kind                text not null check (kind in ('reset', 'delete')),
  -- The generation that began with it.
  epoch               integer not null,
  -- What was deleted so far, as the caller and the log are told.
  documents           bigint not null default 0,
  claims              bigint not null default 0,
  contradictions      bigint not null default 0,
  idempotency_records bigint not null default 0,
  log_entries         bigint not null default 0,
  -- Who asked for it, for the audit log.
  tier                text not null,
  actor               text not null,
  started_at          timestamptz not null default now(),
  -- When the last piece was deleted.
  touched_at          timestamptz not null default now(),
  primary key (tenant_id, scope_id)
) partition by hash (tenant_id);

call partition_by_tenant('erasures');
call protect_tenant_table('erasures');
grant select, insert, update, delete on erasures to concord_api;
-- Which scopes are being erased and for how long: ids and times, no content.
create policy kernel_reads on erasures for select to concord_kernel using (true);
grant select on erasures to concord_kernel;

-- A scope, and each generation of it, begins with nothing. While it is erased the rows go in pieces, and only the figures begin anew.
create or replace function begin_convergence() returns trigger language plpgsql as $$
begin
  if not new.erasing then
    delete from contested where tenant_id = new.tenant_id and scope_id = new.scope_id;
    delete from convergence_series where tenant_id = new.tenant_id and scope_id = new.scope_id;
  end if;
  delete from scope_convergence where tenant_id = new.tenant_id and scope_id = new.scope_id;
  insert into scope_convergence (tenant_id, scope_id, epoch) values (new.tenant_id, new.scope_id, new.epoch);
  return null;
end $$;

-- The figures of a scope that is being erased are those of its new generation: what goes is not in them.
create or replace function weigh_withdrawn() returns trigger language plpgsql as $$
begin
  perform weigh_contradictions(array_agg(row(tenant_id, scope_id, status = 'open', severity, document_a, claim_a,
                                             document_b, claim_b, -1)::weighed))
    from old_rows o
   where relation <> 'change'
     and not exists (select from scope_heads h where h.tenant_id = o.tenant_id and h.scope_id = o.scope_id and h.erasing)
  having count(*) > 0;
  return null;
end $$;

-- What is kept, and for how long.

-- How far the pass of each walk has come, and which dispatcher walks. Columns of the place are null between two passes.
create table retention_sweeps (
  walk          text primary key check (walk in ('scopes', 'documents')),
  holder        text,
  expires_at    timestamptz not null default '-infinity',
  at_tenant     uuid,
  at_scope      text collate "C",
  at_document   text collate "C",
  pass_began_at timestamptz not null default '-infinity',
  -- When the last pass began that was completed: whatever was due by then is gone.
  swept_to      timestamptz not null default now()
);

insert into retention_sweeps (walk) values ('scopes'), ('documents');

grant select, update on retention_sweeps to concord_kernel;

-- Entries up to this number may be missing in the logs. Whoever follows all scopes from before it is told to read anew.
create table log_start (
  is_only    boolean primary key default true check (is_only),
  kernel_seq bigint not null default 0
);

insert into log_start default values;

grant select on log_start to concord_kernel;
grant select, update (kernel_seq) on log_start to concord_worker;

create index idempotency_keys_of_scope on idempotency_keys (tenant_id, scope_id, created_at);

-- The dispatcher removes in the transaction of a tenant, like everybody who changes rows of one.
grant select (tenant_id, scope_id, key_hash, created_at), delete on idempotency_keys to concord_worker;

grant select (tenant_id, scope_id, log_position) on certificates to concord_worker;
grant delete on document_versions, scope_log to concord_worker;
grant select (kernel_seq, at), delete on kernel_log to concord_worker;

-- It may remove no version that is in force or under way, and never the newest entry of a log: that tells a follower what it missed.
create policy only_superseded on document_versions as restrictive for delete to concord_worker
  using (status = 'superseded');

create policy never_the_newest on scope_log as restrictive for delete to concord_worker
  using (seq < (select h.head from scope_heads h where h.tenant_id = scope_log.tenant_id and h.scope_id = scope_log.scope_id));

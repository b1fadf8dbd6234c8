-- Documents, their versions and readings, the log of each scope, and the work that they are.

-- Sees the work and the logs of all tenants, ids and kinds only, never content. The dispatcher and the operator's
-- stream step into it.
grant usage on schema public to concord_kernel;

create table scope_heads (
  tenant_id uuid not null,
  scope_id  text collate "C" not null,
  epoch     integer not null default 0,
  head      bigint not null default 0,
  -- The switch of this scope; whoever claims its work holds this row, so a move of the switch is a barrier.
  runtime_state      text not null default 'running' check (runtime_state in ('running', 'paused', 'stopped')),
  runtime_generation integer not null default 0,
  runtime_changed_at timestamptz,
  runtime_changed_by text,
  -- While it is being emptied in pieces, by a reset or a deletion, nothing of it can be read, written or started.
  erasing boolean not null default false,
  primary key (tenant_id, scope_id)
) partition by hash (tenant_id);

create sequence kernel_seqs;

create table scope_log (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  seq         bigint not null,
  epoch       integer not null,
  kind        text not null,
  document_id text collate "C",
  version     integer,
  -- Ids, counts and kinds, never content.
  data        jsonb not null default '{}',
  at          timestamptz not null default clock_timestamp(),
  -- For readers across scopes: drawn while the heads of all scopes that are written to are held, so that within each
  -- scope it follows seq.
  kernel_seq  bigint not null default nextval('kernel_seqs'),
  primary key (tenant_id, scope_id, seq)
) partition by hash (tenant_id);

create table documents (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  document_id text collate "C" not null,
  epoch       integer not null,
  -- The newest version, 0 while there is no text; status, attempt and error are those of that version.
  version     integer not null,
  type        text not null,
  status      text not null check (status in ('registered', 'attached', 'queued', 'processing', 'processed', 'held',
                                              'failed', 'superseded', 'removed')),
  attempt     integer not null default 0,
  error_code  text,
  error_stage text,
  -- Keyed hash of all that was sent: tells a repetition from a new version without comparing content.
  fingerprint bytea,
  -- Code points of the newest version, and how many of them were read; both as its reading report has them.
  characters      integer not null default 0,
  characters_read integer not null default 0,
  -- Which reader read it, as name and version: rules/1.
  reader          text,
  -- What of a processed document was not read or not understood; null where nothing is missing.
  gap             text check (gap in ('language', 'unread', 'partly_read', 'without_claims')),
  -- Name, source and provenance.
  sealed_card bytea,
  -- Position of document.queued of the newest version.
  seq         bigint,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  -- Of the newest version: what holds it, and the version that a person let pass.
  decision_id uuid,
  released_version integer,
  -- Tags and metadata; of the document and not of a version.
  sealed_labels bytea,
  primary key (tenant_id, scope_id, document_id)
) partition by hash (tenant_id);

create table document_versions (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  document_id text collate "C" not null,
  version     integer not null,
  epoch       integer not null,
  status      text not null,
  characters  integer not null,
  -- The reading report: counts and kinds, never content.
  report      jsonb,
  sealed_text bytea,
  received_at timestamptz not null default now(),
  queued_at   timestamptz,
  started_at  timestamptz,
  ended_at    timestamptz,
  primary key (tenant_id, scope_id, document_id, version)
) partition by hash (tenant_id);

-- What reading found in a version; sealed, because structure follows content.
create table readings (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  document_id text collate "C" not null,
  version     integer not null,
  epoch       integer not null,
  passages    integer not null,
  sentences   integer not null,
  -- Claims that were compared with at least one claim of another document.
  compared    integer not null default 0,
  sealed      bytea not null,
  primary key (tenant_id, scope_id, document_id, version)
) partition by hash (tenant_id);

-- One row for each document that is not at its end: the backlog and what is under way, small and hot, ids only.
--   queued      waits for the dispatcher, not before not_before
--   ready       released to the broker under a ticket; only a message that carries this ticket may claim it
--   processing  claimed; ticket and attempt fence every write of the result
create table work (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  document_id text collate "C" not null,
  version     integer not null,
  epoch       integer not null,
  state       text not null default 'queued' check (state in ('queued', 'ready', 'processing')),
  shard       smallint not null,
  position    bigint not null,
  attempt     integer not null default 0,
  ticket      bigint,
  not_before  timestamptz not null default now(),
  touched_at  timestamptz not null default now(),
  queued_at   timestamptz not null default now(),
  -- Why a document that is queued waits until not_before: the reason for which the language model gave no answer. It waits longer each
  -- time, and is woken as soon as a worker sees that the model answers again.
  waiting_reason text,
  deferrals integer not null default 0,
  primary key (tenant_id, scope_id, document_id)
) partition by hash (tenant_id);

create sequence work_positions;
create sequence work_tickets;

-- The answer to a repeated request; the key itself is kept only as a keyed hash.
create table idempotency_keys (
  tenant_id   uuid not null,
  key_hash    bytea not null,
  fingerprint bytea not null,
  scope_id    text collate "C" not null,
  document_id text collate "C" not null,
  seq         bigint not null,
  created_at  timestamptz not null default now(),
  primary key (tenant_id, key_hash)
) partition by hash (tenant_id);

-- Which dispatcher releases the work of which shard; a lease that is not renewed is anybody's.
create table dispatch_leases (
  shard      smallint primary key,
  holder     text,
  expires_at timestamptz not null default '-infinity'
);

insert into dispatch_leases (shard) select generate_series(0, 3);

do $$
declare
  target text;
begin
  foreach target in array array['scope_heads', 'scope_log', 'documents', 'document_versions', 'readings', 'work',
                                'idempotency_keys'] loop
    call partition_by_tenant(target::regclass);
    call protect_tenant_table(target::regclass);
  end loop;
end $$;

-- Updated in place a few times in a short life: room on the page keeps the updates off the indexes.
do $$
declare
  part regclass;
begin
  for part in select inhrelid from pg_inherits where inhparent in ('scope_heads'::regclass, 'work'::regclass) loop
    execute format('alter table %s set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)', part);
  end loop;
  -- Ciphertext does not compress; trying costs more than storing.
  for part in select inhrelid from pg_inherits where inhparent = 'document_versions'::regclass loop
    execute format('alter table %s alter column sealed_text set storage external', part);
  end loop;
end $$;

create index work_backlog on work (shard, tenant_id, scope_id, position) where state = 'queued';
create index work_released on work (shard, tenant_id) where state <> 'queued';
create index scope_log_by_kernel_seq on scope_log using brin (kernel_seq) with (pages_per_range = 16);

-- The status leads, so that this index cannot be mistaken for the primary key when one document is looked up.
create index documents_by_status on documents (status, tenant_id, scope_id, document_id);

create index documents_with_gap on documents (gap, tenant_id, scope_id, document_id) where gap is not null;

grant select, insert, update, delete on scope_heads, documents, document_versions, work, idempotency_keys to concord_api;
grant select, insert, delete on scope_log to concord_api;
grant select, delete on readings to concord_api;
grant usage on sequence work_positions, kernel_seqs to concord_api;
grant select, update on scope_heads, documents, document_versions, work to concord_worker;
grant usage on sequence kernel_seqs to concord_worker;
grant delete on work to concord_worker;
grant select, insert on scope_log to concord_worker;
grant select, insert, delete on readings to concord_worker;

create policy kernel_reads on scope_heads for select to concord_kernel using (true);
create policy kernel_reads on scope_log for select to concord_kernel using (true);
create policy kernel_reads on work for select to concord_kernel using (true);
create policy kernel_releases on work for update to concord_kernel using (true) with check (true);

grant select on scope_heads, scope_log, work to concord_kernel;
grant update (state, ticket, not_before, touched_at) on work to concord_kernel;
grant usage on sequence work_tickets to concord_kernel;
grant select on sequence kernel_seqs to concord_kernel;
grant select, update on dispatch_leases to concord_kernel;
grant select on schema_migrations to concord_kernel;

create type accept_answer as (
  item        integer,
  -- accepted; replayed (the answer of the first time); key_reused; scope_not_found; stale_epoch (sealed with the key
  -- of a generation that is gone: seal anew)
  outcome     text,
  document_id text,
  version     integer,
  seq         bigint
);

create type claim_answer as (
  item       integer,
  -- claimed; stale (somebody else's, or gone: drop the message); exhausted (the last attempt ended without a result,
  -- so the document has failed); paused (a switch forbids it: it waits in the backlog again, drop the message)
  outcome    text,
  attempt    integer,
  -- why the attempt before failed; null if none did, whatever became of its process
  reason     text,
  sealed     bytea,
  -- What a policy may ask about comes with the claim.
  version integer,
  type text,
  characters integer,
  sealed_card bytea,
  released boolean,
  policy_changes integer
);

create type settle_answer as (
  item    integer,
  -- settled; stale (the fence refused it)
  outcome text
);

create table work_traces (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  document_id text collate "C" not null,
  -- Position of document.queued in the log of the scope: the later one counts.
  seq         bigint not null,
  traceparent text not null check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'),
  noted_at    timestamptz not null default now(),
  primary key (tenant_id, scope_id, document_id)
) partition by hash (tenant_id);

call partition_by_tenant('work_traces');
call protect_tenant_table('work_traces');

-- To forget those that nobody came for.
create index work_traces_by_age on work_traces (tenant_id, noted_at);

grant select, insert, update, delete on work_traces to concord_api;
grant select, delete on work_traces to concord_worker;

-- The condition is always true. Only a list by time states it, so that no other statement can take this index for the primary key.
create index documents_by_update on documents (tenant_id, scope_id, updated_at, document_id, status)
 where updated_at > '-infinity';

create table document_labels (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  label       bytea not null,
  document_id text collate "C" not null,
  primary key (tenant_id, scope_id, label, document_id)
) partition by hash (tenant_id);

call partition_by_tenant('document_labels'::regclass);
call protect_tenant_table('document_labels'::regclass);

create index document_labels_of_document on document_labels (tenant_id, scope_id, document_id);

grant select, insert, delete on document_labels to concord_api;

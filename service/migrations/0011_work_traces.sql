-- The trace that the request which queued a document belongs to, until the document comes to its end. Written after the
-- commit of the request, for the few that are followed, and read by the worker after its own: nothing that is guaranteed
-- touches it, and what is missing here is missing in a picture.
--
-- One row a document: who queues it again puts his trace in the place of the one before.
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

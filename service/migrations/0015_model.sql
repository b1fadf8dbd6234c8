-- Answers of the language model, and what it cost.

-- An answer is found by a keyed hash of what was asked and of the model, so that the same content is not paid for twice in a scope,
-- also where a worker dies between the answer and the commit of what it was asked for. Sealed: it repeats content.
create table model_answers (
  tenant_id      uuid not null,
  scope_id       text collate "C" not null,
  request        bytea not null check (length(request) = 16),
  epoch          integer not null,
  step           text not null,
  model          text not null,
  prompt_version integer not null,
  input_tokens   integer not null,
  output_tokens  integer not null,
  sealed         bytea not null,
  created_at     timestamptz not null default now(),
  primary key (tenant_id, scope_id, request)
) partition by hash (tenant_id);

-- The documents whose content was in a request: its answer is deleted with any of them.
create table model_answer_documents (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  document_id text collate "C" not null,
  request     bytea not null,
  primary key (tenant_id, scope_id, document_id, request)
) partition by hash (tenant_id);

-- Requests that were answered, by the day of UTC.
create table model_usage (
  tenant_id     uuid not null,
  day           date not null,
  step          text not null,
  model         text not null,
  requests      bigint not null,
  input_tokens  bigint not null,
  output_tokens bigint not null,
  primary key (tenant_id, day, step, model)
) partition by hash (tenant_id);

-- Tokens that a tenant used, and those reserved for requests in flight, by the day of UTC. A request whose worker dies stays
-- reserved until the day ends.
create table model_spending (
  tenant_id uuid not null,
  day       date not null,
  used      bigint not null default 0,
  reserved  bigint not null default 0,
  primary key (tenant_id, day)
) partition by hash (tenant_id);

do $$
declare
  target text;
  part   regclass;
begin
  foreach target in array array['model_answers', 'model_answer_documents', 'model_usage', 'model_spending'] loop
    call partition_by_tenant(target::regclass);
    call protect_tenant_table(target::regclass);
  end loop;
  -- Ciphertext does not compress; trying costs more than storing.
  for part in select inhrelid from pg_inherits where inhparent = 'model_answers'::regclass loop
    execute format('alter table %s alter column sealed set storage external', part);
  end loop;
  -- Updated in place with every request.
  for part in select inhrelid from pg_inherits where inhparent in ('model_usage'::regclass, 'model_spending'::regclass) loop
    execute format('alter table %s set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)', part);
  end loop;
end $$;

grant select, delete on model_answers, model_answer_documents, model_usage, model_spending to concord_api;
grant select, insert on model_answers, model_answer_documents to concord_worker;
grant select, insert, update, delete on model_usage, model_spending to concord_worker;

create index work_waiting on work (not_before) where state = 'queued' and waiting_reason is not null;

create table model_rate (
  is_only      boolean primary key default true check (is_only),
  requests     double precision not null default 0,
  -- Below zero after a request that cost more than there was.
  tokens       double precision not null default 0,
  refilled_at  timestamptz not null default '2000-01-01',
  -- The endpoint told one worker to come back then.
  paused_until timestamptz not null default '2000-01-01'
);

insert into model_rate default values;

grant select, update on model_rate to concord_kernel;

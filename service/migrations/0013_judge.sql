-- What a judge outside is asked, and what it said.

-- A tenant without a row permits nothing.
create table judge_permits (
  tenant_id    uuid not null,
  permitted_at timestamptz not null default now(),
  permitted_by text not null,
  primary key (tenant_id)
) partition by hash (tenant_id);

create table judge_verdicts (
  tenant_id  uuid not null,
  scope_id   text collate "C" not null,
  -- Keyed hash of what was asked.
  pair       bytea not null check (length(pair) = 16),
  epoch      integer not null,
  verdict    text not null check (verdict in ('conflict', 'restatement', 'change', 'compatible', 'unsure')),
  model      text not null,
  tokens     integer not null,
  decided_at timestamptz not null default now(),
  primary key (tenant_id, scope_id, pair)
) partition by hash (tenant_id);

create table judge_requests (
  tenant_id  uuid not null,
  scope_id   text collate "C" not null,
  pair       bytea not null check (length(pair) = 16),
  epoch      integer not null,
  -- The group in which both claims meet, to be compared anew when there is a verdict.
  group_key  bigint not null,
  document_a text collate "C" not null,
  no_a       integer not null,
  version_a  integer not null,
  document_b text collate "C" not null,
  no_b       integer not null,
  version_b  integer not null,
  -- How often it was asked in vain, and how often the answer was none.
  failures   integer not null default 0,
  refusals   integer not null default 0,
  -- Not before; while somebody asks, when he is given up.
  due_at     timestamptz not null default now(),
  primary key (tenant_id, scope_id, pair)
) partition by hash (tenant_id);

-- By the day of UTC. What is about to be asked is counted before it is.
create table judge_spending (
  tenant_id uuid not null,
  day       date not null,
  tokens    bigint not null,
  primary key (tenant_id, day)
) partition by hash (tenant_id);

do $$
declare
  target text;
begin
  foreach target in array array['judge_permits', 'judge_verdicts', 'judge_requests', 'judge_spending'] loop
    call partition_by_tenant(target::regclass);
    call protect_tenant_table(target::regclass);
  end loop;
end $$;

create index judge_requests_due on judge_requests (tenant_id, due_at);

grant select, insert, delete on judge_permits to concord_api;
grant select on judge_permits to concord_worker;
grant select, delete on judge_verdicts to concord_api;
grant select, insert on judge_verdicts to concord_worker;
grant select, insert, update, delete on judge_requests to concord_api, concord_worker;
grant select, delete on judge_spending to concord_api;
grant select, insert, update, delete on judge_spending to concord_worker;

create policy kernel_reads on judge_permits for select to concord_kernel using (true);
create policy kernel_reads on judge_requests for select to concord_kernel using (true);

grant select (tenant_id) on judge_permits to concord_kernel;
grant select (tenant_id, scope_id, pair, due_at) on judge_requests to concord_kernel;

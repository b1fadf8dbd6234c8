-- How close a scope is to settled.

create table scope_convergence (
  tenant_id           uuid not null,
  scope_id            text collate "C" not null,
  epoch               integer not null,
  -- Documents: processed; queued or processing; held; failed. What only waits to be triggered was not accepted.
  settled             integer not null default 0,
  unfinished          integer not null default 0,
  held                integer not null default 0,
  failed              integer not null default 0,
  -- Code points of all of these, and how many of them were read.
  characters          bigint not null default 0,
  characters_read     bigint not null default 0,
  -- Processed documents of which something was not read, or nothing understood.
  gaps                integer not null default 0,
  -- Contradictions, but for those that tell of a change: there both hold, one after the other.
  open_low            integer not null default 0,
  open_medium         integer not null default 0,
  open_high           integer not null default 0,
  open_critical       integer not null default 0,
  closed_low          integer not null default 0,
  closed_medium       integer not null default 0,
  closed_high         integer not null default 0,
  closed_critical     integer not null default 0,
  claims              bigint not null default 0,
  -- Those that were compared with at least one claim of another document.
  compared            bigint not null default 0,
  -- Groups of claims in which not all were compared, or not all that was found is told.
  cuts                integer not null default 0,
  -- Comparison steps that wait or are under way, and facts that a language model declined to compare (0025).
  pending             integer not null default 0,
  refused             bigint not null default 0,
  -- Steps that are held, and wait for a person or for the next period: no policy permits them, or the budget is used up.
  not_permitted       integer not null default 0,
  over_budget         integer not null default 0,
  -- Those that open contradictions are about, each counted once.
  contested_claims    integer not null default 0,
  contested_documents integer not null default 0,
  -- What follows from all this, never written by anybody else than score_convergence().
  coverage            integer not null,
  agreement           integer not null,
  resolution          integer not null,
  stability           integer not null,
  score               integer not null,
  state               text not null check (state in ('empty', 'working', 'contested', 'converging', 'unassessed', 'settled')),
  -- How many things keep the scope from being settled.
  blockers            integer not null,
  -- From here on how it came to be there, for the series alone: how often a document came to an end, and the last point.
  ended               bigint not null default 0,
  points              bigint not null default 0,
  noted_score         integer not null default 0,
  noted_state         text not null default 'empty',
  -- The certificate that nothing was told of yet; null where there is none, or where it was told that the scope is reopened.
  certificate_id uuid,
  certificate_number integer,
  certified_position bigint,
  primary key (tenant_id, scope_id)
) partition by hash (tenant_id);

-- What open contradictions are about, and how many of them are: a claim, or with -1 the document that makes it. One that was
-- reported is about no claim; which documents it names depends on which were there at the time, so it contests none.
create table contested (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  document_id text collate "C" not null,
  no          integer not null,
  times       integer not null,
  primary key (tenant_id, scope_id, document_id, no)
) partition by hash (tenant_id);

-- A point where the state changed, or the score by a hundredth or more; the last 10,000 of a scope.
create table convergence_series (
  tenant_id  uuid not null,
  scope_id   text collate "C" not null,
  -- Position of convergence.changed.
  seq        bigint not null,
  score      integer not null,
  coverage   integer not null,
  agreement  integer not null,
  resolution integer not null,
  stability  integer not null,
  state      text not null,
  -- How often a document had come to an end by then.
  ended      bigint not null,
  at         timestamptz not null default now(),
  primary key (tenant_id, scope_id, seq)
) partition by hash (tenant_id);

do $$
declare
  target text;
  part   regclass;
begin
  foreach target in array array['scope_convergence', 'contested', 'convergence_series'] loop
    call partition_by_tenant(target::regclass);
    call protect_tenant_table(target::regclass);
  end loop;
  for part in select inhrelid from pg_inherits where inhparent = 'scope_convergence'::regclass loop
    execute format('alter table %s set (fillfactor = 30, autovacuum_vacuum_scale_factor = 0.02)', part);
  end loop;
end $$;

-- Led by what only its own question names, as all indexes of this table.
create index contradictions_open on contradictions (severity, tenant_id, scope_id, contradiction_id)
  where status = 'open' and relation <> 'change';

grant select, insert, update, delete on scope_convergence, contested to concord_api;
grant select, insert, delete on convergence_series to concord_api;
grant select, update on scope_convergence to concord_worker;
grant select, insert, update, delete on contested to concord_worker;
grant select, insert, delete on convergence_series to concord_worker;

create policy kernel_reads on scope_convergence for select to concord_kernel using (true);
create policy kernel_reads on convergence_series for select to concord_kernel using (true);

grant select on scope_convergence, convergence_series to concord_kernel;

create type weighed as (
  tenant_id  uuid,
  scope_id   text,
  open       boolean,
  severity   text,
  document_a text,
  claim_a    integer,
  document_b text,
  claim_b    integer,
  -- 1 for one that is there now, -1 for one that was there before.
  n          integer
);

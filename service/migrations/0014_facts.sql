-- Facts with their witnesses, by which claims of a language model are compared, and the steps that compare them.

create table facts (
  tenant_id uuid not null,
  scope_id  text collate "C" not null,
  -- Keyed hash of the statement and its modality.
  fact_key  bigint not null,
  position  bigint not null,
  witnesses integer not null,
  -- Estimated length of the statement in tokens.
  tokens    integer not null,
  -- pending: a step will compare it. refused: the model declined to.
  state     text not null check (state in ('pending', 'done', 'refused')),
  -- Whether it was compared with a fact of another document, or another document states it as well.
  compared  boolean not null,
  -- Keyed hashes of its words, most specific first.
  words     bigint[] not null check (cardinality(words) <= 24),
  primary key (tenant_id, scope_id, fact_key)
) partition by hash (tenant_id);

-- The claims that state a fact.
create table fact_witnesses (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  fact_key    bigint not null,
  document_id text collate "C" not null,
  no          integer not null,
  version     integer not null,
  primary key (tenant_id, scope_id, fact_key, document_id, no)
) partition by hash (tenant_id);

create table fact_postings (
  tenant_id uuid not null,
  scope_id  text collate "C" not null,
  word      bigint not null,
  position  bigint not null,
  fact_key  bigint not null,
  primary key (tenant_id, scope_id, word, position, fact_key)
) partition by hash (tenant_id);

-- How many facts of the scope have the word.
create table fact_words (
  tenant_id uuid not null,
  scope_id  text collate "C" not null,
  word      bigint not null,
  facts     bigint not null,
  primary key (tenant_id, scope_id, word)
) partition by hash (tenant_id);

create table fact_counts (
  tenant_id uuid not null,
  scope_id  text collate "C" not null,
  -- The last position and the last step that were given out.
  position  bigint not null,
  last_step bigint not null,
  facts     bigint not null,
  -- Of all statements together.
  tokens    bigint not null,
  -- Steps that are not at their end, with those that are held.
  steps     integer not null,
  -- Facts that the model declined to compare.
  refused   bigint not null,
  -- Steps that are held, by reason.
  not_permitted integer not null default 0,
  over_budget   integer not null default 0,
  primary key (tenant_id, scope_id)
) partition by hash (tenant_id);

create table comparison_steps (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  step        bigint not null,
  epoch       integer not null,
  -- A witness of all its facts.
  document_id text collate "C",
  version     integer,
  position    bigint not null,
  facts       bigint[] not null,
  -- How often the endpoint gave no answer, and how often the model declined.
  failures    integer not null default 0,
  refusals    integer not null default 0,
  -- Not before; while a worker compares it, the end of its lease.
  due_at      timestamptz not null default now(),
  made_at     timestamptz not null default now(),
  -- Why it is held: no policy permits that its document is sent to the model, or the token budget of the tenant is used up.
  held_reason text check (held_reason in ('not_permitted', 'over_budget')),
  -- A step compares facts of a document, or groups of claims that a removal left.
  kind text not null default 'facts' check (kind in ('facts', 'groups')),
  -- Of a step of groups.
  groups bigint[] not null default '{}',
  primary key (tenant_id, scope_id, step),
  check ((kind = 'facts') = (document_id is not null))
) partition by hash (tenant_id);

do $$
declare
  target text;
  part   regclass;
begin
  foreach target in array array['facts', 'fact_witnesses', 'fact_postings', 'fact_words', 'fact_counts', 'comparison_steps'] loop
    call partition_by_tenant(target::regclass);
    call protect_tenant_table(target::regclass);
  end loop;
  for part in select inhrelid from pg_inherits
               where inhparent in ('fact_counts'::regclass, 'fact_words'::regclass, 'comparison_steps'::regclass) loop
    execute format('alter table %s set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)', part);
  end loop;
  for part in select inhrelid from pg_inherits where inhparent = 'facts'::regclass loop
    execute format('alter table %s set (fillfactor = 80)', part);
  end loop;
end $$;

-- Led by what only its own question names, as in 0013.
create index fact_witnesses_of_document on fact_witnesses (document_id, tenant_id, scope_id);

create index comparison_steps_of_document on comparison_steps (document_id, tenant_id, scope_id);
create index comparison_steps_due on comparison_steps (tenant_id, due_at);
create index comparison_steps_held on comparison_steps (tenant_id, held_reason, due_at) where held_reason is not null;
create index comparison_steps_waiting on comparison_steps (made_at) where held_reason is null;
create index fact_counts_pending on fact_counts (tenant_id) where steps > 0;
create index contradictions_of_value_a on contradictions (value_a, tenant_id, scope_id);
create index contradictions_of_value_b on contradictions (value_b, tenant_id, scope_id);

-- Whoever removes a document takes its facts away, and what remains of its steps goes to another witness.
grant select, update, delete on facts, fact_words, fact_counts to concord_api;

grant select, delete on fact_witnesses, fact_postings to concord_api;
grant select, insert, delete on comparison_steps to concord_api;

-- Whoever changes a policy wakes what it held.
grant update (due_at) on comparison_steps to concord_api;

grant select, insert, update, delete on facts, fact_words, comparison_steps to concord_worker;
grant select, insert, update on fact_counts to concord_worker;
grant select, insert, delete on fact_witnesses, fact_postings to concord_worker;

create policy kernel_reads on comparison_steps for select to concord_kernel using (true);
create policy kernel_reads on fact_counts for select to concord_kernel using (true);

grant select (tenant_id, scope_id, step, due_at, made_at, held_reason) on comparison_steps to concord_kernel;
grant select (tenant_id, scope_id, steps, not_permitted, over_budget) on fact_counts to concord_kernel;

create type filed_fact as (
  -- Which of the scopes that were asked about.
  at               integer,
  -- A fact that is compared; null in the row of a contradiction.
  fact_key         bigint,
  contradiction_id uuid,
  group_key        bigint,
  print            bigint,
  relation         text,
  kind             text,
  severity         text,
  status           text,
  document_a       text,
  document_b       text,
  value_a          bigint,
  value_b          bigint,
  sealed           bytea,
  -- The claims by which both sides are shown from now on; the sealed claim is null where it is not stored yet.
  shown_a          text,
  no_a             integer,
  version_a        integer,
  claim_a          bytea,
  shown_b          text,
  no_b             integer,
  version_b        integer,
  claim_b          bytea
);

create type step_fact as (
  fact_key    bigint,
  -- A fact of the step itself, to be compared with the others.
  is_new      boolean,
  compared    boolean,
  document_id text,
  no          integer,
  version     integer,
  sealed      bytea
);

create index comparison_steps_of_groups on comparison_steps (tenant_id, due_at) where kind = 'groups';

grant select (kind) on comparison_steps to concord_kernel;
grant insert on fact_counts to concord_api;

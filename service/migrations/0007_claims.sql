-- Claims, how they are filed, and the contradictions between them.

-- Of the version in force alone.
create table claims (
  tenant_id    uuid not null,
  scope_id     text collate "C" not null,
  document_id  text collate "C" not null,
  no           integer not null,
  version      integer not null,
  epoch        integer not null,
  kind         text not null,
  claim_rank   bigint not null,
  -- The groups it is filed under, most telling first, and the rank of its value in each.
  keys         bigint[] not null,
  value_ranks  bigint[] not null,
  sealed       bytea not null,
  extracted_at timestamptz not null default now(),
  -- Whether a claim of another document is in one of its groups.
  compared boolean not null default false,
  primary key (tenant_id, scope_id, document_id, no)
) partition by hash (tenant_id);

create table claim_keys (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  key         bigint not null,
  value_rank  bigint not null,
  claim_rank  bigint not null,
  document_id text collate "C" not null,
  no          integer not null,
  version     integer not null,
  primary key (tenant_id, scope_id, key, value_rank, claim_rank)
) partition by hash (tenant_id);

-- How many there are, so that nobody has to count them.
create table claim_counts (
  tenant_id uuid not null,
  scope_id  text collate "C" not null,
  claims    bigint not null,
  compared bigint not null default 0,
  -- How many groups are cut, and what was left out of them together.
  cuts integer not null default 0,
  cut_claims bigint not null default 0,
  cut_findings bigint not null default 0,
  primary key (tenant_id, scope_id)
) partition by hash (tenant_id);

create table contradictions (
  tenant_id        uuid not null,
  scope_id         text collate "C" not null,
  contradiction_id uuid not null,
  epoch            integer not null,
  -- Null where a person or another system reported it.
  group_key        bigint,
  relation         text not null check (relation in ('conflict', 'restatement', 'change')),
  kind             text not null,
  severity         text not null check (severity in ('low', 'medium', 'high', 'critical')),
  confidence       double precision,
  status           text not null default 'open' check (status in ('open', 'resolved', 'dismissed')),
  document_a       text collate "C",
  document_b       text collate "C",
  sealed           bytea not null,
  -- Keyed hash of what is sealed: tells a change without opening.
  print            bigint,
  -- Position of contradiction.opened.
  opened_seq       bigint not null,
  opened_at        timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  -- Of a finding that was compared: the claims that stand for its sides, the ranks of their values, and all documents that were
  -- compared and are on that side. Null, and none, where it was reported or has not been compared since.
  claim_a integer,
  claim_b integer,
  value_a bigint,
  value_b bigint,
  documents_a text[] not null default '{}',
  documents_b text[] not null default '{}',
  primary key (contradiction_id, tenant_id, scope_id)
) partition by hash (tenant_id);

do $$
declare
  target text;
  part   regclass;
begin
  foreach target in array array['claims', 'claim_keys', 'claim_counts', 'contradictions'] loop
    call partition_by_tenant(target::regclass);
    call protect_tenant_table(target::regclass);
  end loop;
  for part in select inhrelid from pg_inherits where inhparent = 'claim_counts'::regclass loop
    execute format('alter table %s set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)', part);
  end loop;
  -- Ciphertext does not compress; trying costs more than storing.
  for part in select inhrelid from pg_inherits where inhparent in ('claims'::regclass, 'contradictions'::regclass) loop
    execute format('alter table %s alter column sealed set storage external', part);
  end loop;
end $$;

create index contradictions_of_group on contradictions (group_key, tenant_id, scope_id);
create index contradictions_of_document_a on contradictions (document_a, tenant_id, scope_id);
create index contradictions_of_document_b on contradictions (document_b, tenant_id, scope_id);

-- Whoever removes a document takes its claims away, and others may come to represent a group then.
grant select, delete on claims, claim_keys to concord_api;

grant select, update, delete on claim_counts to concord_api;
grant select, insert, update, delete on contradictions to concord_api;
grant select, insert, delete on claims, claim_keys to concord_worker;
grant select, insert, update on claim_counts to concord_worker;
grant select, insert, update, delete on contradictions to concord_worker;

create type compared as (
  -- Which of the scopes that were asked about.
  at          integer,
  document_id text,
  no          integer,
  version     integer,
  key         bigint,
  value_rank  bigint,
  claim_rank  bigint,
  keys        bigint[],
  value_ranks bigint[],
  -- Of a row that tells of a group: what is left out of it, where something is; else, where its claims do not all say the same and are
  -- not all returned, how many there are.
  cut_claims integer,
  cut_findings integer,
  counted integer
);

create type compared_content as (
  at               integer,
  document_id      text,
  no               integer,
  version          integer,
  sealed           bytea,
  group_key        bigint,
  contradiction_id uuid,
  print            bigint,
  relation         text,
  kind             text,
  severity         text,
  document_a       text,
  document_b       text,
  -- Who compares learns what became of the findings that were there.
  status text
);

grant update (compared) on claims, readings to concord_api, concord_worker;

create table comparison_cuts (
  tenant_id uuid not null,
  scope_id  text collate "C" not null,
  group_key bigint not null,
  -- Claims that do not represent the group.
  claims    integer not null,
  -- Findings beyond the first 12.
  findings  integer not null,
  -- How many claims a group has that is cut: what does not represent it follows from this also after claims went unseen.
  total integer not null default 0,
  primary key (tenant_id, scope_id, group_key)
) partition by hash (tenant_id);

call partition_by_tenant('comparison_cuts');
call protect_tenant_table('comparison_cuts');

do $$
declare
  part regclass;
begin
  for part in select inhrelid from pg_inherits where inhparent = 'comparison_cuts'::regclass loop
    execute format('alter table %s set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)', part);
  end loop;
end $$;

grant select, insert, update, delete on comparison_cuts to concord_api, concord_worker;

create index contradictions_by_age on contradictions (tenant_id, scope_id, opened_seq, status, severity, kind, relation)
 where opened_seq > 0;

-- Each status and severity is a range of its own, in the order of confidence; a reported one is as sure as can be.
create index contradictions_by_severity
    on contradictions (severity, status, tenant_id, scope_id, coalesce(confidence, 1), opened_seq, kind, relation)
 where opened_seq > 0;

create index claims_by_kind on claims (kind, tenant_id, scope_id, document_id, no);

-- breaking
-- Rows of several kinds say which kind they are, by name.

-- What open_comparison answers. One row each for: the newest version of a document; a claim that is to go and is in groups, or that states a
-- fact; a claim of a group that is compared anew; a group that is touched, that stays as it is, or that has no claims but those that are to
-- go; and the scope, where it has verdicts of the judge, and where its tenant permits the judge.
create type opening_row as enum (
  'version', 'old_claim', 'old_fact', 'member', 'touched_group', 'unmoved_group', 'empty_group', 'judge_verdicts', 'judge_permit'
);
alter type compared add attribute row_kind opening_row;

-- What read_comparison answers: a claim with its content, or a contradiction that was found before.
create type content_row as enum ('claim', 'finding');
alter type compared_content add attribute row_kind content_row;

-- What file_facts answers: a fact that is compared already, or a contradiction that another claim shows from now on.
create type filing_row as enum ('compared_fact', 'affected_contradiction');
alter type filed_fact add attribute row_kind filing_row;

-- What read_verdicts answers: the last decision of a contradiction, or how often the policies of the tenant were changed.
create type verdict_row as enum ('decision', 'policy_changes');
alter type verdict add attribute row_kind verdict_row;

-- A row is about a claim, or about the document that makes it; the latter has the number 0.
alter table contested add column kind text not null default 'claim' check (kind in ('claim', 'document'));
-- The owner is bound by row-level security too, unless it says otherwise.
alter table contested no force row level security;
alter table contested drop constraint contested_pkey;
update contested set kind = 'document', no = 0 where no = -1;
alter table contested add primary key (tenant_id, scope_id, document_id, kind, no);
alter table contested alter column kind drop default;
alter table contested force row level security;

-- A claim is compared within its groups, or where a language model extracted it, by the fact that it states.
alter table claims add column compared_by text not null default 'groups' check (compared_by in ('groups', 'facts'));
alter table claims no force row level security;
update claims set compared_by = 'facts' where cardinality(keys) = 0;
alter table claims force row level security;

-- Moves of documents are counted by the dispatcher, which finds the scopes that have some and learns nothing else of them.

alter table retention_sweeps drop constraint retention_sweeps_walk_check;
alter table retention_sweeps add constraint retention_sweeps_walk_check check (walk in ('scopes', 'documents', 'moves'));
insert into retention_sweeps (walk) values ('moves');

create policy kernel_reads on scope_moves for select to concord_kernel using (true);
grant select (tenant_id, scope_id, at) on scope_moves to concord_kernel;

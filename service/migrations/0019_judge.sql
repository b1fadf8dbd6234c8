-- A judge outside, asked about pairs of claims on which rules do not decide. Only tenants that permit it are asked for.
--
-- What it says is a fact about two claims, kept under a keyed hash of what was asked: comparing stays a function of claims
-- and verdicts, so what a verdict opens is withdrawn and found again like anything else. Whoever settles or removes a
-- document only notes what is to be asked; asking happens outside of every transaction. No content is in these tables.

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

-- 1 where verdicts are to be looked up, 2 where what is open is to be noted; 3 for both.
create function judging_in(tenant uuid, scope text) returns integer
  language plpgsql stable set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return (case when exists (select from judge_verdicts v where v.tenant_id = tenant and v.scope_id = scope) then 1 else 0 end)
       + (case when exists (select from judge_permits p where p.tenant_id = tenant) then 2 else 0 end);
end $$;

-- As in 0013, and one row more for a scope with which a judge has to do: neither a document nor a key, and in the place of the
-- version what judging_in says.
create or replace function open_comparison(groups json) returns setof compared
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
  judged integer;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in
      select * from json_to_recordset(scopes) s(at integer, scope text, documents text[], keys bigint[],
        low_values bigint[], low_claims bigint[], high_values bigint[])
    loop
      judged := judging_in(tenant, place.scope);
      if judged > 0 then
        return query
        select place.at, null, null::integer, judged, null::bigint, null::bigint, null::bigint, null::bigint[],
               null::bigint[];
      end if;
      return query
      select * from open_comparison_of(tenant, place.scope, place.at, place.documents, place.keys, place.low_values,
        place.low_claims, place.high_values);
    end loop;
  end loop;
end $$;

create function read_judge_verdicts(groups json) returns table (at integer, pair text, verdict text, model text)
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in select * from json_to_recordset(scopes) s(at integer, scope text, pairs text[]) loop
      return query select place.at, v.pair, v.verdict, v.model from read_judge_verdicts_of(tenant, place.scope, place.pairs) v;
    end loop;
  end loop;
end $$;

create function read_judge_verdicts_of(tenant uuid, scope text, pairs text[])
  returns table (pair text, verdict text, model text)
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select p.pair, v.verdict, v.model from unnest(pairs) p(pair)
   cross join lateral (select v.verdict, v.model from judge_verdicts v where v.tenant_id = tenant and v.scope_id = scope
                          and v.pair = decode(p.pair, 'hex') limit 1) v;
end $$;

-- What is waiting already keeps its turn, and learns where both claims are now. Needs the head of the scope to be held.
create function note_judge_requests(groups json) returns void
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in select * from json_to_recordset(scopes) s(scope text, epoch integer, requests json) loop
      insert into judge_requests as r (tenant_id, scope_id, pair, epoch, group_key, document_a, no_a, version_a, document_b,
                                       no_b, version_b)
      select tenant, place.scope, decode(q.pair, 'hex'), place.epoch, q.group_key, q.document_a, q.no_a, q.version_a,
             q.document_b, q.no_b, q.version_b
        from json_to_recordset(place.requests) as q(pair text, group_key bigint, document_a text, no_a integer,
               version_a integer, document_b text, no_b integer, version_b integer)
          on conflict (tenant_id, scope_id, pair) do update
         set group_key = excluded.group_key, document_a = excluded.document_a, no_a = excluded.no_a,
             version_a = excluded.version_a, document_b = excluded.document_b, no_b = excluded.no_b,
             version_b = excluded.version_b;
    end loop;
  end loop;
end $$;

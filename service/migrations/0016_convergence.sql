-- Convergence: how settled a scope is.
--
-- One row a scope counts what the score depends on. Triggers count, in the statement that changes what is counted, so
-- nobody who writes can forget to; score, parts and state follow from the counts whenever the row is written, so it is true
-- whenever it is seen and nothing is computed when somebody reads. Whoever changes a scope holds its head, so nobody
-- waits here who did not wait there. All counts are of what is there now, none of how it came to be there: the same
-- documents, contradictions and decisions make the same row in whatever order they came.

-- Shares are whole millionths, rounded down: exact, the same everywhere, and one only where nothing is missing.
create function share_of(part bigint, whole bigint) returns integer
  language sql immutable parallel safe
  return case when whole <= 0 then 1000000 else (greatest(0, least(part, whole)) * 1000000 / whole)::integer end;

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
  primary key (tenant_id, scope_id)
) partition by hash (tenant_id);

-- The rule. A trigger and not generated columns: those are planned anew by every statement, which takes longer than the rest
-- of it.
create function score_convergence() returns trigger language plpgsql as $$
declare
  -- Nothing is covered where there is nothing.
  accepted integer := new.settled + new.unfinished + new.held + new.failed;
  -- A contradiction weighs twice as much as one of the severity below.
  open     bigint := new.open_low + 2 * new.open_medium + 4 * new.open_high + 8 * new.open_critical;
  closed   bigint := new.closed_low + 2 * new.closed_medium + 4 * new.closed_high + 8 * new.closed_critical;
  -- With less than a tenth of its claims compared with another document, nothing is known about a scope.
  enough   bigint := (new.claims + 9) / 10;
begin
  new.coverage := case when accepted = 0 then 0 else share_of(new.characters_read, new.characters) end; -- @point convergence.coverage
  new.agreement := share_of(new.compared - new.contested_claims, greatest(new.compared, enough)); -- @point convergence.agreement
  new.resolution := share_of(closed, open + closed);
  new.stability := share_of(accepted - new.contested_documents, accepted);
  new.blockers := new.open_low + new.open_medium + new.open_high + new.open_critical + new.unfinished + new.held
                    + new.failed + new.gaps + (new.cuts + new.refused > 0)::integer + (new.pending > 0)::integer
                    + (new.not_permitted > 0)::integer + (new.over_budget > 0)::integer;
  -- One means settled, and nothing else.
  new.score := least(new.coverage::bigint * (2 * new.agreement + 2 * new.resolution + new.stability) / 5000000,
                     case when new.blockers > 0 then 999999 else 1000000 end);
  new.state := case when accepted = 0 then 'empty'
                    when new.unfinished + new.pending > 0 then 'working'
                    when new.open_high + new.open_critical > 0 then 'contested'
                    when new.blockers > 0 then 'converging'
                    when new.compared < enough then 'unassessed'
                    else 'settled' end;
  return new;
end $$;

create trigger score_convergence before insert or update on scope_convergence
  for each row execute function score_convergence();

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

-- A scope, and each generation of it, begins with nothing.
create function begin_convergence() returns trigger language plpgsql as $$
begin
  delete from contested where tenant_id = new.tenant_id and scope_id = new.scope_id;
  delete from convergence_series where tenant_id = new.tenant_id and scope_id = new.scope_id;
  delete from scope_convergence where tenant_id = new.tenant_id and scope_id = new.scope_id;
  insert into scope_convergence (tenant_id, scope_id, epoch) values (new.tenant_id, new.scope_id, new.epoch);
  return null;
end $$;

create trigger begin_convergence after insert or update of epoch on scope_heads
  for each row execute function begin_convergence();

create function weigh_documents(tenant uuid, scope text, settles integer, unfinishes integer, holds integer,
                                fails integer) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
begin
  update scope_convergence c
     set settled = c.settled + settles, unfinished = c.unfinished + unfinishes, held = c.held + holds,
         failed = c.failed + fails, ended = c.ended + greatest(0, -unfinishes)
   where c.tenant_id = tenant and c.scope_id = scope;
end $$;

create function weigh_new_documents() returns trigger language plpgsql as $$
begin
  perform weigh_documents(d.tenant_id, d.scope_id, d.settled, d.unfinished, d.held, d.failed)
    from (select tenant_id, scope_id, (count(*) filter (where status = 'processed'))::integer as settled,
                 (count(*) filter (where status in ('queued', 'processing')))::integer as unfinished,
                 (count(*) filter (where status = 'held'))::integer as held,
                 (count(*) filter (where status = 'failed'))::integer as failed
            from new_rows group by tenant_id, scope_id) d;
  return null;
end $$;

-- What there is after, less what there was before; most changes are from queued to processing, and make no difference.
create function weigh_changed_documents() returns trigger language plpgsql as $$
begin
  -- Whoever accepts documents would also replace some, and mostly there are none.
  if not exists (select from new_rows) then return null; end if;
  perform weigh_documents(d.tenant_id, d.scope_id, d.settled, d.unfinished, d.held, d.failed)
    from (select tenant_id, scope_id, coalesce(sum(n) filter (where status = 'processed'), 0)::integer as settled,
                 coalesce(sum(n) filter (where status in ('queued', 'processing')), 0)::integer as unfinished,
                 coalesce(sum(n) filter (where status = 'held'), 0)::integer as held,
                 coalesce(sum(n) filter (where status = 'failed'), 0)::integer as failed
            from (select tenant_id, scope_id, status, 1 as n from new_rows
                  union all select tenant_id, scope_id, status, -1 from old_rows) each
           group by tenant_id, scope_id) d
   where (d.settled, d.unfinished, d.held, d.failed) <> (0, 0, 0, 0);
  return null;
end $$;

create function weigh_claims() returns trigger
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  update scope_convergence c set claims = new.claims where c.tenant_id = new.tenant_id and c.scope_id = new.scope_id;
  return null;
end $$;

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

-- How many claims and documents come under contradictions by this, less those that come free.
create function contest(tenant uuid, scope text, moves weighed[], out more_claims integer, out more_documents integer)
  language plpgsql set plan_cache_mode = force_generic_plan
  -- The plan is kept, and a statement may open one or ten thousand; those who call may have forbidden what the latter need.
  set enable_seqscan = off set enable_hashjoin = on set enable_nestloop = off as $$
#variable_conflict use_column
declare
  free record;
begin
  more_claims := 0;
  more_documents := 0;
  for free in
    with sides as materialized (
      select s.document_id, s.no, sum(m.n)::integer as n
        from unnest(moves) m
       cross join lateral (values (m.document_a, -1, m.claim_a), (m.document_a, m.claim_a, m.claim_a),
                                  (m.document_b, -1, m.claim_b), (m.document_b, m.claim_b, m.claim_b)) s(document_id, no, claim)
       where m.tenant_id = tenant and m.scope_id = scope and m.open and s.claim is not null
       group by s.document_id, s.no having sum(m.n) <> 0
    ), moved as (
      insert into contested as c (tenant_id, scope_id, document_id, no, times)
      select tenant, scope, document_id, no, n from sides
      on conflict (tenant_id, scope_id, document_id, no) do update set times = c.times + excluded.times
      returning c.document_id, c.no, c.times
    )
    select document_id, no, times from moved join sides using (document_id, no) where times = n or times = 0
  loop
    if free.no < 0 then
      more_documents := more_documents + case when free.times = 0 then -1 else 1 end;
    else
      more_claims := more_claims + case when free.times = 0 then -1 else 1 end;
    end if;
    if free.times = 0 then
      delete from contested c
       where c.tenant_id = tenant and c.scope_id = scope and c.document_id = free.document_id and c.no = free.no;
    end if;
  end loop;
end $$;

-- A scope without a row is being emptied, and counts nothing.
create function weigh_contradictions(moves weighed[]) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  place record;
  more  record;
begin
  for place in
    select tenant_id, scope_id,
           coalesce(sum(n) filter (where open and severity = 'low'), 0) as open_low,
           coalesce(sum(n) filter (where open and severity = 'medium'), 0) as open_medium,
           coalesce(sum(n) filter (where open and severity = 'high'), 0) as open_high,
           coalesce(sum(n) filter (where open and severity = 'critical'), 0) as open_critical,
           coalesce(sum(n) filter (where not open and severity = 'low'), 0) as closed_low,
           coalesce(sum(n) filter (where not open and severity = 'medium'), 0) as closed_medium,
           coalesce(sum(n) filter (where not open and severity = 'high'), 0) as closed_high,
           coalesce(sum(n) filter (where not open and severity = 'critical'), 0) as closed_critical
      from unnest(moves) m group by tenant_id, scope_id
  loop
    continue when not exists (select from scope_convergence c
                               where c.tenant_id = place.tenant_id and c.scope_id = place.scope_id);
    select * into more from contest(place.tenant_id, place.scope_id, moves);
    update scope_convergence c
       set open_low = c.open_low + place.open_low, open_medium = c.open_medium + place.open_medium,
           open_high = c.open_high + place.open_high, open_critical = c.open_critical + place.open_critical,
           closed_low = c.closed_low + place.closed_low, closed_medium = c.closed_medium + place.closed_medium,
           closed_high = c.closed_high + place.closed_high, closed_critical = c.closed_critical + place.closed_critical,
           contested_claims = c.contested_claims + more.more_claims,
           contested_documents = c.contested_documents + more.more_documents
     where c.tenant_id = place.tenant_id and c.scope_id = place.scope_id;
  end loop;
end $$;

create function weigh_opened() returns trigger language plpgsql as $$
begin
  perform weigh_contradictions(array_agg(row(tenant_id, scope_id, status = 'open', severity, document_a, claim_a,
                                             document_b, claim_b, 1)::weighed))
    from new_rows where relation <> 'change' having count(*) > 0;
  return null;
end $$;

create function weigh_withdrawn() returns trigger language plpgsql as $$
begin
  perform weigh_contradictions(array_agg(row(tenant_id, scope_id, status = 'open', severity, document_a, claim_a,
                                             document_b, claim_b, -1)::weighed))
    from old_rows where relation <> 'change' having count(*) > 0;
  return null;
end $$;

create function weigh_changed() returns trigger language plpgsql as $$
begin
  perform weigh_contradictions(array_agg(row(tenant_id, scope_id, status = 'open', severity, document_a, claim_a,
                                             document_b, claim_b, n)::weighed))
    from (select tenant_id, scope_id, relation, status, severity, document_a, claim_a, document_b, claim_b, 1 as n
            from new_rows
          union all
          select tenant_id, scope_id, relation, status, severity, document_a, claim_a, document_b, claim_b, -1
            from old_rows) each
   where relation <> 'change' having count(*) > 0;
  return null;
end $$;

-- Adds a point to the series and tells of it, where there is something to tell. Needs the head of the scope to be held.
create function note_convergence(tenant uuid, scope text) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c        scope_convergence;
  position bigint;
begin
  select * into c from scope_convergence c where c.tenant_id = tenant and c.scope_id = scope
     and (c.state <> c.noted_state or abs(c.score - c.noted_score) >= 10000);
  if not found then return; end if;
  update scope_heads h set head = h.head + 1 where h.tenant_id = tenant and h.scope_id = scope returning h.head into position;
  insert into scope_log (tenant_id, scope_id, seq, epoch, kind, data)
  values (tenant, scope, position, c.epoch, 'convergence.changed',
          jsonb_build_object('score', trim_scale(c.score / 1000000.0), 'state', c.state, 'blockers', c.blockers));
  insert into convergence_series (tenant_id, scope_id, seq, score, coverage, agreement, resolution, stability, state, ended)
  values (tenant, scope, position, c.score, c.coverage, c.agreement, c.resolution, c.stability, c.state, c.ended);
  update scope_convergence s set points = s.points + 1, noted_score = c.score, noted_state = c.state
   where s.tenant_id = tenant and s.scope_id = scope;
  if c.points >= 10000 then
    delete from convergence_series s where s.tenant_id = tenant and s.scope_id = scope and s.seq =
      (select min(seq) from convergence_series where tenant_id = tenant and scope_id = scope);
  end if;
end $$;

-- Those of several tenants, whose scopes are held: [{tenant, scopes: [...]}].
create function note_convergences(groups json) returns void language plpgsql as $$
declare
  tenant uuid;
  scopes text[];
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes text[]) loop
    perform set_config('app.tenant', tenant::text, true);
    perform note_convergence(tenant, scope) from unnest(scopes) scope;
  end loop;
end $$;

-- Results that bring no claims are all there is to their settling, so it is noted in the same statement.
create or replace function settle_readings(groups json, content bytea) returns setof settle_answer
  language plpgsql as $$
declare
  entry  json;
  tenant uuid;
begin
  for entry in select value from json_array_elements(groups) loop
    tenant := (entry ->> 'tenant')::uuid;
    perform set_config('app.tenant', tenant::text, true);
    if replaces_claims(tenant, entry -> 'items') then
      return query select item, 'compare' from attempt_items(entry -> 'items');
    else
      return query select * from settle_attempts_of(tenant, entry -> 'items', content);
      perform note_convergence(tenant, s.scope_id)
         from (select distinct i.scope_id from attempt_items(entry -> 'items') i) s;
    end if;
  end loop;
end $$;

-- An attempt that was the last one, and ended without a result, fails its document where it would have begun anew.
create or replace function claim_attempts(groups json, max_attempts integer) returns setof claim_answer
  language plpgsql as $$
declare
  entry        json;
  tenant       uuid;
  service_runs boolean;
  runs         boolean;
  answer       claim_answer;
  exhausted    integer[];
begin
  perform hold_service_switch();
  service_runs := (select state = 'running' from service_switch);
  for entry in select value from json_array_elements(groups) loop
    tenant := (entry ->> 'tenant')::uuid;
    perform set_config('app.tenant', tenant::text, true);
    perform hold_tenant_switch(tenant);
    runs := service_runs and not exists (select from tenant_switches where tenant_id = tenant and state <> 'running');
    exhausted := '{}';
    for answer in select * from claim_attempts_of(tenant, entry -> 'items', max_attempts, runs) loop
      if answer.outcome = 'exhausted' then exhausted := exhausted || answer.item; end if;
      return next answer;
    end loop;
    if cardinality(exhausted) > 0 then
      perform note_convergence(tenant, s.scope_id)
         from (select distinct i.scope_id from attempt_items(entry -> 'items') i where i.item = any(exhausted)) s;
    end if;
  end loop;
end $$;

-- What was there before is counted once. The table owner is bound by row-level security as well, so it is lifted inside
-- this transaction, which keeps everybody else from these tables until it ends.
do $$
declare
  target text;
begin
  foreach target in array array['scope_heads', 'documents', 'claim_counts', 'contradictions', 'scope_convergence',
                                'contested'] loop
    execute format('alter table %I no force row level security', target);
  end loop;
  insert into contested (tenant_id, scope_id, document_id, no, times)
  select c.tenant_id, c.scope_id, s.document_id, s.no, count(*)
    from contradictions c
   cross join lateral (values (c.document_a, -1, c.claim_a), (c.document_a, c.claim_a, c.claim_a),
                              (c.document_b, -1, c.claim_b), (c.document_b, c.claim_b, c.claim_b)) s(document_id, no, claim)
   where c.status = 'open' and c.relation <> 'change' and s.claim is not null
   group by c.tenant_id, c.scope_id, s.document_id, s.no;
  insert into scope_convergence (tenant_id, scope_id, epoch, settled, unfinished, held, failed, characters,
    characters_read, gaps, open_low, open_medium, open_high, open_critical, closed_low, closed_medium, closed_high, closed_critical, claims, contested_claims,
    contested_documents)
  select h.tenant_id, h.scope_id, h.epoch, d.settled, d.unfinished, d.held, d.failed, d.characters, d.characters_read,
         d.gaps, c.open_low, c.open_medium, c.open_high, c.open_critical, c.closed_low, c.closed_medium, c.closed_high, c.closed_critical,
         coalesce((select claims from claim_counts n where n.tenant_id = h.tenant_id and n.scope_id = h.scope_id), 0),
         (select count(*) from contested t where t.tenant_id = h.tenant_id and t.scope_id = h.scope_id and t.no >= 0),
         (select count(*) from contested t where t.tenant_id = h.tenant_id and t.scope_id = h.scope_id and t.no < 0)
    from scope_heads h
   cross join lateral (
     select count(*) filter (where status = 'processed') as settled,
            count(*) filter (where status in ('queued', 'processing')) as unfinished,
            count(*) filter (where status = 'held') as held, count(*) filter (where status = 'failed') as failed,
            coalesce(sum(characters) filter (where status in ('queued', 'processing', 'processed', 'held', 'failed')), 0)
              as characters,
            coalesce(sum(characters_read) filter (where status = 'processed'), 0) as characters_read,
            count(*) filter (where status = 'processed' and gap is not null) as gaps
       from documents d where d.tenant_id = h.tenant_id and d.scope_id = h.scope_id) d
   cross join lateral (
     select count(*) filter (where status = 'open' and severity = 'low') as open_low,
            count(*) filter (where status = 'open' and severity = 'medium') as open_medium,
            count(*) filter (where status = 'open' and severity = 'high') as open_high,
            count(*) filter (where status = 'open' and severity = 'critical') as open_critical,
            count(*) filter (where status <> 'open' and severity = 'low') as closed_low,
            count(*) filter (where status <> 'open' and severity = 'medium') as closed_medium,
            count(*) filter (where status <> 'open' and severity = 'high') as closed_high,
            count(*) filter (where status <> 'open' and severity = 'critical') as closed_critical
       from contradictions c where c.tenant_id = h.tenant_id and c.scope_id = h.scope_id and c.relation <> 'change') c;
  foreach target in array array['scope_heads', 'documents', 'claim_counts', 'contradictions', 'scope_convergence',
                                'contested'] loop
    execute format('alter table %I force row level security', target);
  end loop;
end $$;

create trigger weigh_new after insert on documents
  referencing new table as new_rows for each statement execute function weigh_new_documents();
create trigger weigh_changed after update on documents
  referencing old table as old_rows new table as new_rows for each statement execute function weigh_changed_documents();
create trigger weigh_claims after insert or update on claim_counts for each row execute function weigh_claims();
create trigger weigh_opened after insert on contradictions
  referencing new table as new_rows for each statement execute function weigh_opened();
create trigger weigh_withdrawn after delete on contradictions
  referencing old table as old_rows for each statement execute function weigh_withdrawn();
create trigger weigh_changed after update on contradictions
  referencing old table as old_rows new table as new_rows for each statement execute function weigh_changed();

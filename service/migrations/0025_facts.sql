-- breaking: a release that does not know it leaves facts behind when it replaces or removes a document.
--
-- Facts: what documents state, as a language model extracted it.
--
-- Claims with the same normalised statement are one fact with several witnesses, so repetition costs nothing. Each document that is
-- filed has a position, which grows within its scope. A fact has the position of the document that stated it first and is compared with
-- facts of lower positions alone, so each pair is compared once, and nothing is withdrawn because something new came. Comparing
-- is work of its own: a step names up to 100 facts, and a worker takes it by a lease. Everything here is written while the head of the
-- scope is held.

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
  document_id text collate "C" not null,
  version     integer not null,
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
  primary key (tenant_id, scope_id, step)
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

create function weigh_facts() returns trigger
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  update scope_convergence c
     set pending = new.steps - new.not_permitted - new.over_budget, refused = new.refused, not_permitted = new.not_permitted,
         over_budget = new.over_budget
   where c.tenant_id = new.tenant_id and c.scope_id = new.scope_id;
  return null;
end $$;

create trigger weigh_new after insert on fact_counts for each row execute function weigh_facts();
create trigger weigh_changed after update on fact_counts
  for each row when ((old.steps, old.refused, old.not_permitted, old.over_budget)
                     is distinct from (new.steps, new.refused, new.not_permitted, new.over_budget))
  execute function weigh_facts();

-- Held steps are counted wherever one comes or goes.
create function count_held_steps() returns trigger
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  after text := case when tg_op = 'UPDATE' then new.held_reason end;
begin
  update fact_counts c
     set not_permitted = c.not_permitted + (after is not distinct from 'not_permitted')::integer
                                         - (old.held_reason is not distinct from 'not_permitted')::integer,
         over_budget = c.over_budget + (after is not distinct from 'over_budget')::integer
                                     - (old.held_reason is not distinct from 'over_budget')::integer
   where c.tenant_id = old.tenant_id and c.scope_id = old.scope_id;
  return null;
end $$;

create trigger count_held after update of held_reason on comparison_steps
  for each row when (old.held_reason is distinct from new.held_reason) execute function count_held_steps();
create trigger count_held_gone after delete on comparison_steps
  for each row when (old.held_reason is not null) execute function count_held_steps();

-- The witnesses that these documents are. Declared as one row, like all that unpacks lists here (0013).
create function find_witnesses(tenant uuid, scope text, documents text[])
  returns table (part oid, place tid, fact_key bigint)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select w.part, w.place, w.fact_key from unnest(documents) u(document_id)
   cross join lateral (select w.tableoid as part, w.ctid as place, w.fact_key from fact_witnesses w
                        where w.document_id = u.document_id and w.tenant_id = tenant and w.scope_id = scope offset 0) w;
end $$;

create function find_steps(tenant uuid, scope text, documents text[]) returns table (part oid, place tid)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select s.part, s.place from unnest(documents) u(document_id)
   cross join lateral (select s.tableoid as part, s.ctid as place from comparison_steps s
                        where s.document_id = u.document_id and s.tenant_id = tenant and s.scope_id = scope offset 0) s;
end $$;

create function find_facts(tenant uuid, scope text, wanted bigint[])
  returns table (part oid, place tid, fact_key bigint, filed_at bigint, witnesses integer, tokens integer, state text,
                 compared boolean, words bigint[])
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select f.part, f.place, f.fact_key, f.position, f.witnesses, f.tokens, f.state, f.compared, f.words
    from unnest(wanted) k(key)
   cross join lateral (select f.tableoid as part, f.ctid as place, f.* from facts f
                        where f.tenant_id = tenant and f.scope_id = scope and f.fact_key = k.key limit 1) f;
end $$;

-- The claims that state these facts and are not yet compared.
create function find_uncompared_witnesses(tenant uuid, scope text, wanted bigint[]) returns table (part oid, place tid)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select c.part, c.place from unnest(wanted) k(key)
   cross join lateral (select w.document_id, w.no, w.version from fact_witnesses w
                        where w.tenant_id = tenant and w.scope_id = scope and w.fact_key = k.key offset 0) w
   cross join lateral (select c.tableoid as part, c.ctid as place, c.version, c.compared from claims c
                        where c.tenant_id = tenant and c.scope_id = scope and c.document_id = w.document_id and c.no = w.no
                        limit 1) c
   where c.version = w.version and not c.compared;
end $$;

-- Marks facts as compared, and every claim that states one of them.
create function mark_compared(tenant uuid, scope text, wanted bigint[]) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  document record;
  more     bigint := 0;
begin
  update facts f set compared = true from find_facts(tenant, scope, wanted) k
   where f.tenant_id = tenant and f.tableoid = k.part and f.ctid = k.place and not f.compared;
  for document in
    with flagged as (
      update claims c set compared = true from find_uncompared_witnesses(tenant, scope, wanted) k
       where c.tenant_id = tenant and c.tableoid = k.part and c.ctid = k.place
      returning c.document_id, c.version
    )
    select document_id, version, count(*) as claims from flagged group by document_id, version
  loop
    perform count_compared(tenant, scope, document.document_id, document.version, document.claims);
    more := more + document.claims;
  end loop;
  if more > 0 then
    update claim_counts c set compared = c.compared + more where c.tenant_id = tenant and c.scope_id = scope;
  end if;
end $$;

-- Deletes facts that nobody states any more, with all that leads to them.
create function delete_unwitnessed(tenant uuid, scope text, wanted bigint[], out facts bigint, out tokens bigint, out refused bigint)
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  gone record;
begin
  facts := 0;
  tokens := 0;
  refused := 0;
  for gone in
    delete from facts f using find_facts(tenant, scope, wanted) k
     where f.tenant_id = tenant and f.tableoid = k.part and f.ctid = k.place and f.witnesses = 0
    returning f.fact_key, f.position, f.tokens, f.state, f.words
  loop
    facts := facts + 1;
    tokens := tokens + gone.tokens;
    refused := refused + (gone.state = 'refused')::integer;
    delete from fact_postings p using unnest(gone.words) w(word)
     where p.tenant_id = tenant and p.scope_id = scope and p.word = w.word and p.position = gone.position
       and p.fact_key = gone.fact_key;
    update fact_words n set facts = n.facts - 1 from unnest(gone.words) w(word)
     where n.tenant_id = tenant and n.scope_id = scope and n.word = w.word;
    delete from fact_words n using unnest(gone.words) w(word)
     where n.tenant_id = tenant and n.scope_id = scope and n.word = w.word and n.facts <= 0;
  end loop;
end $$;

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

-- Files the facts of documents whose claims are replaced or removed. Answers which of their facts are compared already, and which
-- contradictions are shown by another claim from now on: because the one that showed it goes, or because one of a lower document id comes.
create function file_facts(groups json) returns setof filed_fact
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in
      select * from json_to_recordset(scopes) s(at integer, scope text, epoch integer, documents text[], keys bigint[],
        authors integer[], tokens integer[], words text[], witness_keys bigint[], witness_documents text[],
        witness_nos integer[], witness_versions integer[])
    loop
      return query
      select * from file_facts_of(tenant, place.scope, place.at, place.epoch, place.documents, place.keys, place.authors,
        place.tokens, place.words, place.witness_keys, place.witness_documents, place.witness_nos, place.witness_versions);
    end loop;
  end loop;
end $$;

create function file_facts_of(tenant uuid, scope text, at integer, epoch integer, documents text[], keys bigint[],
                              authors integer[], tokens integer[], words text[], witness_keys bigint[],
                              witness_documents text[], witness_nos integer[], witness_versions integer[])
  returns setof filed_fact
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  -- Facts that lose a witness, that come, and that are to be compared by a step of another witness.
  lost         bigint[];
  fresh        bigint[] := '{}';
  orphaned     bigint[];
  ended        bigint;
  made         bigint;
  base         bigint;
  step         bigint;
  fresh_tokens bigint := 0;
  gone         record;
begin
  select c.position, c.last_step into base, step from fact_counts c where c.tenant_id = tenant and c.scope_id = scope;
  base := coalesce(base, 0);
  step := coalesce(step, 0);

  -- The steps go first, and then the witnesses: what the documents stated before counts no longer.
  with ends as (
    delete from comparison_steps s using find_steps(tenant, scope, documents) k
     where s.tenant_id = tenant and s.tableoid = k.part and s.ctid = k.place
    returning s.facts
  )
  select count(*), coalesce((select array_agg(k.key) from ends e cross join lateral unnest(e.facts) k(key)), '{}')
    into ended, orphaned from ends;
  with less as (
    delete from fact_witnesses w using find_witnesses(tenant, scope, documents) k
     where w.tenant_id = tenant and w.tableoid = k.part and w.ctid = k.place
    returning w.fact_key
  )
  select coalesce(array_agg(fact_key), '{}') into lost from less;
  if cardinality(lost) > 0 then
    update facts f set witnesses = f.witnesses - l.n
      from (select key, count(*)::integer as n from unnest(lost) k(key) group by key) l
     cross join lateral find_facts(tenant, scope, array[l.key]) k
     where f.tenant_id = tenant and f.tableoid = k.part and f.ctid = k.place;
  end if;

  if cardinality(keys) > 0 then
    with inserted as (
      insert into facts (tenant_id, scope_id, fact_key, position, witnesses, tokens, state, compared, words)
      select tenant, scope, n.key, base + n.author, 0, n.tokens, 'pending', false, n.words::bigint[]
        from unnest(keys, authors, tokens, words) n(key, author, tokens, words)
      on conflict (tenant_id, scope_id, fact_key) do nothing
      returning fact_key, position, tokens, words
    ), posted as (
      insert into fact_postings (tenant_id, scope_id, word, position, fact_key)
      select tenant, scope, w.word, i.position, i.fact_key from inserted i cross join lateral unnest(i.words) w(word)
    ), counted as (
      insert into fact_words as n (tenant_id, scope_id, word, facts)
      select tenant, scope, w.word, count(*) from inserted i cross join lateral unnest(i.words) w(word) group by w.word
      on conflict (tenant_id, scope_id, word) do update set facts = n.facts + excluded.facts
    )
    select coalesce(array_agg(fact_key), '{}'), coalesce(sum(tokens), 0) into fresh, fresh_tokens from inserted;
    insert into fact_witnesses (tenant_id, scope_id, fact_key, document_id, no, version)
    select tenant, scope, w.key, w.document_id, w.no, w.version
      from unnest(witness_keys, witness_documents, witness_nos, witness_versions) w(key, document_id, no, version);
    update facts f set witnesses = f.witnesses + m.n
      from (select key, count(*)::integer as n from unnest(witness_keys) k(key) group by key) m
     cross join lateral find_facts(tenant, scope, array[m.key]) k
     where f.tenant_id = tenant and f.tableoid = k.part and f.ctid = k.place;
    -- What two documents state alike is compared: they agree.
    perform mark_compared(tenant, scope, array(
      select k.fact_key from find_facts(tenant, scope, keys) k
       where not k.compared and k.witnesses > 1
         and exists (select from fact_witnesses a where a.tenant_id = tenant and a.scope_id = scope and a.fact_key = k.fact_key
                        and a.document_id <> (select min(b.document_id) from fact_witnesses b where b.tenant_id = tenant
                                                 and b.scope_id = scope and b.fact_key = k.fact_key))));
    return query
    select at, k.fact_key, null::uuid, null::bigint, null::bigint, null, null, null, null, null, null, null::bigint,
           null::bigint, null::bytea, null, null::integer, null::integer, null::bytea, null, null::integer, null::integer,
           null::bytea
      from find_facts(tenant, scope, keys) k where k.compared;
  end if;

  select * into gone from delete_unwitnessed(tenant, scope, lost);

  -- Facts whose step went and that another claim still states are compared by a step of that claim's document.
  insert into comparison_steps (tenant_id, scope_id, step, epoch, document_id, version, position, facts)
  select tenant, scope, step + row_number() over (order by s.position, s.document_id, s.nth), epoch, s.document_id, s.version,
         s.position, s.facts
    from (select n.document_id, n.version, n.position, n.nth, array_agg(n.key order by n.place) as facts
            from (select w.document_id, w.version, k.filed_at as position, t.key, t.place,
                         (row_number() over (partition by w.document_id, w.version, k.filed_at order by t.place) - 1) / 100 as nth
                    from unnest(fresh || orphaned) with ordinality t(key, place)
                   cross join lateral find_facts(tenant, scope, array[t.key]) k
                   cross join lateral (select w.document_id, w.version from fact_witnesses w
                                        where w.tenant_id = tenant and w.scope_id = scope and w.fact_key = t.key
                                        order by w.document_id, w.no limit 1) w
                   where k.state = 'pending') n
           group by n.document_id, n.version, n.position, n.nth) s;
  get diagnostics made = row_count;

  update fact_counts c
     set position = case when cardinality(keys) > 0 then base + cardinality(documents) else base end, last_step = step + made,
         facts = c.facts + cardinality(fresh) - gone.facts, tokens = c.tokens + fresh_tokens - gone.tokens,
         steps = c.steps + made - ended, refused = c.refused - gone.refused
   where c.tenant_id = tenant and c.scope_id = scope;
  if not found and cardinality(keys) > 0 then
    insert into fact_counts (tenant_id, scope_id, position, last_step, facts, tokens, steps, refused)
    values (tenant, scope, base + cardinality(documents), made, cardinality(fresh), fresh_tokens, made, 0);
  end if;

  return query
  select at, null::bigint, c.contradiction_id, c.group_key, c.print, c.relation, c.kind, c.severity, c.status, c.document_a,
         c.document_b, c.value_a, c.value_b, c.sealed, a.document_id, a.no, a.version, a.sealed, b.document_id, b.no,
         b.version, b.sealed
    from (select c.* from unnest(documents) u(document_id)
           cross join lateral (select * from contradictions c where c.document_a = u.document_id and c.tenant_id = tenant
                                  and c.scope_id = scope offset 0) c
           where c.value_a = any(lost)
          union
          select c.* from unnest(documents) u(document_id)
           cross join lateral (select * from contradictions c where c.document_b = u.document_id and c.tenant_id = tenant
                                  and c.scope_id = scope offset 0) c
           where c.value_b = any(lost)
          union
          select c.* from unnest(witness_keys, witness_documents) w(key, document_id)
           cross join lateral (select * from contradictions c where c.value_a = w.key and c.tenant_id = tenant
                                  and c.scope_id = scope offset 0) c
           where c.document_a > w.document_id
          union
          select c.* from unnest(witness_keys, witness_documents) w(key, document_id)
           cross join lateral (select * from contradictions c where c.value_b = w.key and c.tenant_id = tenant
                                  and c.scope_id = scope offset 0) c
           where c.document_b > w.document_id) c
    left join lateral select_shown_witness(tenant, scope, c.value_a) a on true
    left join lateral select_shown_witness(tenant, scope, c.value_b) b on true;
end $$;

-- The claim that a fact is shown by: of the documents that state it the one with the lowest id, whichever came first.
create function select_shown_witness(tenant uuid, scope text, key bigint)
  returns table (document_id text, no integer, version integer, sealed bytea)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select w.document_id, w.no, w.version, c.sealed
    from (select w.document_id, w.no, w.version from fact_witnesses w
           where w.tenant_id = tenant and w.scope_id = scope and w.fact_key = key
           order by w.document_id, w.no limit 1) w
    left join lateral (select c.sealed, c.version from claims c where c.tenant_id = tenant and c.scope_id = scope
                          and c.document_id = w.document_id and c.no = w.no limit 1) c on c.version = w.version;
end $$;

-- What documents claim, how claims find each other, and where they disagree.
--
-- The same documents must come to the same findings in whatever order they arrive, and one more must cost the same in a
-- large scope as in a small one. So claims meet in groups, by keyed hashes of what they are about, and of each group only a
-- few represent it: of each value the three of lowest rank, and of those the first 16. Ranks are keyed hashes, so who
-- represents a group follows from the set of its claims alone; it is read off the index and kept nowhere. Everything here
-- happens while the head of the scope is held.

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

-- Each index is led by what only its own question names, or bound to a condition that only its own question states. With tenant
-- and scope in the lead they would all be alike to Postgres while the table is empty, and a plan that is made then is kept.
create index contradictions_by_age on contradictions (tenant_id, scope_id, opened_seq) where opened_seq > 0;
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

-- Results that bring no claims, in one statement. Where a document has claims from before, they go with it, and that is to
-- be compared first: nothing of that tenant is settled then, and each of its items is answered by 'compare'.
create function settle_readings(groups json, content bytea) returns setof settle_answer
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
    end if;
  end loop;
end $$;

-- Nobody else can give the document claims meanwhile: that takes the ticket which the result carries.
create function replaces_claims(tenant uuid, items json) returns boolean
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return exists (
    select from attempt_items(items) i
     cross join lateral (select from claims c where c.tenant_id = tenant and c.scope_id = i.scope_id
                            and c.document_id = i.document_id limit 1) c
     where i.verdict = 'processed');
end $$;

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
  value_ranks bigint[]
);

-- What it takes to see which groups change when documents are to have other claims than they had: the newest version of each
-- (no claim), the claims it had (with keys), and who else represents each group that is touched (with a key). A key without
-- a document is a group that stays as it is.
create function open_comparison(groups json) returns setof compared
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in
      select * from json_to_recordset(scopes) s(at integer, scope text, documents text[], keys bigint[],
        low_values bigint[], low_claims bigint[], high_values bigint[])
    loop
      return query
      select * from open_comparison_of(tenant, place.scope, place.at, place.documents, place.keys, place.low_values,
        place.low_claims, place.high_values);
    end loop;
  end loop;
end $$;

create function open_comparison_of(tenant uuid, scope text, at integer, documents text[], wanted bigint[],
                                   low_values bigint[], low_claims bigint[], high_values bigint[])
  returns setof compared
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  replaced text[];
  stays    bigint[];
  near     bigint[];
  far      bigint[];
begin
  return query
  select at, d.document_id, null::integer, d.version, null::bigint, null::bigint, null::bigint, null::bigint[],
         null::bigint[]
    from unnest(documents) u(document_id)
   cross join lateral (select d.document_id, d.version from documents d
                        where d.tenant_id = tenant and d.scope_id = scope and d.document_id = u.document_id limit 1) d;

  replaced := array(
    select u.document_id from unnest(documents) u(document_id)
     cross join lateral (select from claims c where c.tenant_id = tenant and c.scope_id = scope
                            and c.document_id = u.document_id limit 1) c);
  if cardinality(replaced) > 0 then
    return query
    select at, c.document_id, c.no, c.version, null::bigint, null::bigint, c.claim_rank, c.keys, c.value_ranks
      from unnest(replaced) u(document_id)
     cross join lateral (select * from claims c where c.tenant_id = tenant and c.scope_id = scope
                            and c.document_id = u.document_id offset 0) c;
    -- Whatever goes may have spoken for a group, so none is known to stay.
    far := wanted || array(
      select distinct k.key from unnest(replaced) u(document_id)
       cross join lateral (select c.keys from claims c where c.tenant_id = tenant and c.scope_id = scope
                              and c.document_id = u.document_id offset 0) c
       cross join lateral unnest(c.keys) k(key)
       where k.key <> all(wanted));
  else
    -- The first 24 of a group tell of nearly all whether a new claim can speak for it. It cannot where 16 do already and
    -- come before whatever is new; and there is nothing to compare where all say the same as all that is new.
    select coalesce(array_agg(f.key) filter (where f.state = 'stays'), '{}'),
           coalesce(array_agg(f.key) filter (where f.state = 'near'), '{}'),
           coalesce(array_agg(f.key) filter (where f.state = 'far'), '{}')
      into stays, near, far
      from (
        select g.key,
               case when s.last_value is null and s.seen = 24 then 'far'
                    when (s.last_value, s.last_claim) < (g.low_value, g.low_claim) then 'stays'
                    when s.low_value = g.low_value and s.low_value = s.high_value and s.low_value = g.high_value then 'stays'
                    else 'near' end as state
          from unnest(wanted, low_values, low_claims, high_values) g(key, low_value, low_claim, high_value)
         cross join lateral (
           select count(*) as seen, min(n.value_rank) as low_value, max(n.value_rank) as high_value,
                  (array_agg(n.value_rank) filter (where n.third is distinct from n.value_rank))[16] as last_value,
                  (array_agg(n.claim_rank) filter (where n.third is distinct from n.value_rank))[16] as last_claim
             from (select k.value_rank, k.claim_rank, lag(k.value_rank, 3) over () as third
                     from (select k.value_rank, k.claim_rank from claim_keys k
                            where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key
                            order by k.value_rank, k.claim_rank limit 24) k) n) s
         where s.seen > 0) f;
    return query
    select at, null, null::integer, null::integer, g.key, null::bigint, null::bigint, null::bigint[], null::bigint[]
      from unnest(stays) g(key);
    return query
    select at, k.document_id, k.no, k.version, g.key, k.value_rank, k.claim_rank, null::bigint[], null::bigint[]
      from unnest(near) g(key)
     cross join lateral (
       select * from claim_keys k where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key
        order by k.value_rank, k.claim_rank limit 24) k;
  end if;

  -- From value to value by the index, three claims of each: the cost does not grow with the group.
  return query
  select at, m.document_id, m.no, m.version, g.key, m.value_rank, m.claim_rank, null::bigint[], null::bigint[]
    from unnest(far) g(key)
   cross join lateral (
     with recursive walk as (
       (select k.value_rank, 1 as nth from claim_keys k
         where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key and k.document_id <> all(replaced)
         order by k.value_rank limit 1)
       union all
       select n.value_rank, w.nth + 1
         from walk w
        cross join lateral (
          select k.value_rank from claim_keys k
           where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key and k.value_rank > w.value_rank
             and k.document_id <> all(replaced)
           order by k.value_rank limit 1) n
        where w.nth < 16
     )
     select r.value_rank, r.claim_rank, r.document_id, r.no, r.version
       from walk w
      cross join lateral (
        select k.value_rank, k.claim_rank, k.document_id, k.no, k.version from claim_keys k
         where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key and k.value_rank = w.value_rank
           and k.document_id <> all(replaced)
         order by k.claim_rank limit 3) r
     offset 0) m;
end $$;

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
  document_b       text
);

-- The claims that represent groups which change, and what was found in those groups before.
create function read_comparison(groups json) returns setof compared_content
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in
      select * from json_to_recordset(scopes) s(at integer, scope text, documents text[], nos integer[], groups bigint[])
    loop
      return query
      select * from read_comparison_of(tenant, place.scope, place.at, place.documents, place.nos, place.groups);
    end loop;
  end loop;
end $$;

create function read_comparison_of(tenant uuid, scope text, at integer, documents text[], nos integer[], groups bigint[])
  returns setof compared_content
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select at, c.document_id, c.no, c.version, c.sealed, null::bigint, null::uuid, null::bigint, null, null, null,
         null, null
    from unnest(documents, nos) w(document_id, no)
   cross join lateral (select * from claims c where c.tenant_id = tenant and c.scope_id = scope
                          and c.document_id = w.document_id and c.no = w.no limit 1) c;
  return query
  select at, null, null::integer, null::integer, null::bytea, c.group_key, c.contradiction_id, c.print,
         c.relation, c.kind, c.severity, c.document_a, c.document_b
    from unnest(groups) g(key)
   cross join lateral (select * from contradictions c where c.tenant_id = tenant and c.scope_id = scope
                          and c.group_key = g.key offset 0) c;
end $$;

-- Writes what came of it. The content is one value from which everything that is sealed is cut, as in accept_documents.
create function close_comparison(groups json, content bytea) returns void
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in
      select * from json_to_recordset(scopes) s(scope text, epoch integer, replaced text[], claims json, keys json,
        withdrawn uuid[], changed json, opened json, events json)
    loop
      perform replace_claims(tenant, place.scope, place.epoch, place.replaced, place.claims, place.keys, content);
      perform replace_contradictions(tenant, place.scope, place.epoch, place.withdrawn, place.changed, place.opened,
        place.events, content);
    end loop;
  end loop;
end $$;

-- Where the claims of these documents are, and all that is filed under them. Declared as one row, like all that unpacks lists
-- here, so that what goes is deleted where it was found: with a guess at how much it is, Postgres would rather read all
-- rows of the tenant.
create function find_claims(tenant uuid, scope text, documents text[])
  returns table (part oid, place tid, claim_rank bigint, keys bigint[], value_ranks bigint[])
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select c.part, c.place, c.claim_rank, c.keys, c.value_ranks from unnest(documents) u(document_id)
   cross join lateral (select c.tableoid as part, c.ctid as place, c.claim_rank, c.keys, c.value_ranks from claims c
                        where c.tenant_id = tenant and c.scope_id = scope and c.document_id = u.document_id
                        offset 0) c;
end $$;

create function find_filings(tenant uuid, scope text, documents text[]) returns table (part oid, place tid)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select k.part, k.place from find_claims(tenant, scope, documents) c
   cross join lateral unnest(c.keys, c.value_ranks) f(key, value_rank)
   cross join lateral (select k.tableoid as part, k.ctid as place from claim_keys k
                        where k.tenant_id = tenant and k.scope_id = scope and k.key = f.key
                          and k.value_rank = f.value_rank and k.claim_rank = c.claim_rank limit 1) k;
end $$;

create function find_contradictions(tenant uuid, scope text, ids uuid[]) returns table (id uuid, part oid, place tid)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select c.contradiction_id, c.part, c.place from unnest(ids) w(id)
   cross join lateral (select c.contradiction_id, c.tableoid as part, c.ctid as place from contradictions c
                        where c.contradiction_id = w.id and c.tenant_id = tenant and c.scope_id = scope limit 1) c;
end $$;

-- A role that may not insert claims brings none, and then nothing is inserted.
create function replace_claims(tenant uuid, scope text, epoch integer, replaced text[], fresh json, filed json,
                               content bytea) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  more bigint := 0;
  less bigint := 0;
begin
  if cardinality(replaced) > 0 then
    delete from claim_keys k using find_filings(tenant, scope, replaced) f
     where k.tenant_id = tenant and k.tableoid = f.part and k.ctid = f.place;
    delete from claims c using find_claims(tenant, scope, replaced) f
     where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place;
    get diagnostics less = row_count;
  end if;
  if json_array_length(fresh) > 0 then
    insert into claims (tenant_id, scope_id, document_id, no, version, epoch, kind, claim_rank, keys, value_ranks, sealed)
    select tenant, scope, document, no, version, epoch, kind, rank, keys, ranks, substring(content from at + 1 for length)
      from json_to_recordset(fresh) as f(document text, no integer, version integer, kind text, rank bigint, keys bigint[],
        ranks bigint[], at integer, length integer);
    get diagnostics more = row_count;
    insert into claim_keys (tenant_id, scope_id, key, value_rank, claim_rank, document_id, no, version)
    select tenant, scope, k.key, k.value_rank, k.claim_rank, k.document_id, k.no, k.version
      from json_to_record(filed) as f(documents text[], nos integer[], versions integer[], keys bigint[],
             value_ranks bigint[], claim_ranks bigint[])
     cross join lateral unnest(f.documents, f.nos, f.versions, f.keys, f.value_ranks, f.claim_ranks)
             k(document_id, no, version, key, value_rank, claim_rank);
  end if;
  if more = less then return; end if;
  update claim_counts c set claims = c.claims + more - less where c.tenant_id = tenant and c.scope_id = scope;
  if not found then
    insert into claim_counts (tenant_id, scope_id, claims) values (tenant, scope, more - less);
  end if;
end $$;

-- Whoever opens one says which of the events tells of it, so that its position is known.
create function replace_contradictions(tenant uuid, scope text, epoch integer, withdrawn uuid[], changed json, opened json,
                                       events json, content bytea) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  told integer := json_array_length(events);
  head bigint;
begin
  if told > 0 then
    update scope_heads h set head = h.head + told where h.tenant_id = tenant and h.scope_id = scope
    returning h.head - told into head;
    insert into scope_log (tenant_id, scope_id, epoch, seq, kind, document_id, version, data, kernel_seq)
    select tenant, scope, epoch, head + nth, kind, document, version, data, (select nextval('kernel_seqs'))
      from rows from (json_to_recordset(events) as (kind text, document text, version integer, data jsonb))
        with ordinality as e(kind, document, version, data, nth);
  end if;
  if cardinality(withdrawn) > 0 then
    delete from contradictions c using find_contradictions(tenant, scope, withdrawn) f
     where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place;
  end if;
  if json_array_length(changed) > 0 then
    update contradictions c
       set kind = n.kind, severity = n.severity, confidence = n.confidence, document_a = n.a, document_b = n.b,
           print = n.print, sealed = substring(content from n.at + 1 for n.length), updated_at = now()
      from find_contradictions(tenant, scope,
             array(select i.id from json_to_recordset(changed) as i(id uuid))) f
      join json_to_recordset(changed) as n(id uuid, kind text, severity text, confidence float, a text, b text,
             print bigint, at integer, length integer) on n.id = f.id
     where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place;
  end if;
  if json_array_length(opened) > 0 then
    insert into contradictions (tenant_id, scope_id, contradiction_id, epoch, group_key, relation, kind, severity,
                                confidence, document_a, document_b, print, opened_seq, sealed)
    select tenant, scope, n.id, epoch, n.group_key, n.relation, n.kind, n.severity, n.confidence, n.a, n.b, n.print,
           head + n.event, substring(content from n.at + 1 for n.length)
      from json_to_recordset(opened) as n(id uuid, group_key bigint, relation text, kind text, severity text,
             confidence float, a text, b text, print bigint, event integer, at integer, length integer);
  end if;
end $$;

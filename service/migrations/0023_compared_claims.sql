-- breaking: a release that does not know it files claims without saying whether they are compared.
--
-- Claims that are compared.
--
-- A claim is compared when a claim of another document is in one of its groups. That follows from the set of claims alone. Most
-- groups have claims of one document, or of many; a flag changes only where a group of one document gets a second document, or
-- loses it. A document has at most 400 claims, so looking for a claim of another document never reads more than those.

alter table claims add column compared boolean not null default false;
-- How many claims of the version are compared.
alter table readings add column if not exists compared integer not null default 0;
alter table claim_counts add column compared bigint not null default 0;
alter table scope_convergence add column if not exists compared bigint not null default 0;

grant update (compared) on claims, readings to concord_api, concord_worker;

-- Claims of earlier releases are counted once. The table owner is bound by row-level security as well, so it is lifted inside
-- this transaction.
do $$
declare
  target text;
begin
  foreach target in array array['claims', 'claim_keys', 'claim_counts', 'readings', 'scope_convergence'] loop
    execute format('alter table %I no force row level security', target);
  end loop;
  update claims c set compared = true
    from (select distinct k.tenant_id, k.scope_id, k.document_id, k.no
            from claim_keys k
            join (select tenant_id, scope_id, key from claim_keys
                   group by tenant_id, scope_id, key having min(document_id) <> max(document_id)) g
              using (tenant_id, scope_id, key)) k
   where c.tenant_id = k.tenant_id and c.scope_id = k.scope_id and c.document_id = k.document_id and c.no = k.no;
  update readings r set compared = c.compared
    from (select tenant_id, scope_id, document_id, version, count(*) as compared from claims where compared
           group by tenant_id, scope_id, document_id, version) c
   where r.tenant_id = c.tenant_id and r.scope_id = c.scope_id and r.document_id = c.document_id and r.version = c.version;
  update claim_counts n set compared = c.compared
    from (select tenant_id, scope_id, count(*) as compared from claims where compared group by tenant_id, scope_id) c
   where n.tenant_id = c.tenant_id and n.scope_id = c.scope_id;
  update scope_convergence s set compared = n.compared from claim_counts n
   where n.compared > 0 and s.tenant_id = n.tenant_id and s.scope_id = n.scope_id;
  foreach target in array array['claims', 'claim_keys', 'claim_counts', 'readings', 'scope_convergence'] loop
    execute format('alter table %I force row level security', target);
  end loop;
end $$;

create or replace function weigh_claims() returns trigger
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  update scope_convergence c set claims = new.claims, compared = new.compared
   where c.tenant_id = new.tenant_id and c.scope_id = new.scope_id;
  return null;
end $$;

-- The claims of groups whose claims are all of one document that are not yet compared. Like find_claims it is declared as one row.
create function find_uncompared(tenant uuid, scope text, groups bigint[])
  returns table (part oid, place tid)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select distinct c.part, c.place from unnest(groups) g(key)
   cross join lateral (select k.document_id, k.no from claim_keys k
                        where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key offset 0) k
   cross join lateral (select c.tableoid as part, c.ctid as place, c.compared from claims c
                        where c.tenant_id = tenant and c.scope_id = scope and c.document_id = k.document_id and c.no = k.no
                        limit 1) c
   where not c.compared;
end $$;

-- The compared claims of such groups that are compared no longer: none of their other groups has a claim of another document.
create function find_no_longer_compared(tenant uuid, scope text, groups bigint[])
  returns table (part oid, place tid)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  with candidates as materialized (
    select distinct c.part, c.place, c.document_id, c.keys from unnest(groups) g(key)
     cross join lateral (select k.document_id, k.no from claim_keys k
                          where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key offset 0) k
     cross join lateral (select c.tableoid as part, c.ctid as place, c.document_id, c.keys, c.compared from claims c
                          where c.tenant_id = tenant and c.scope_id = scope and c.document_id = k.document_id and c.no = k.no
                          limit 1) c
     where c.compared
  ), met as materialized (
    select e.document_id, e.key
      from (select distinct c.document_id, k.key from candidates c cross join lateral unnest(c.keys) k(key)) e
     cross join lateral (select from claim_keys k where k.tenant_id = tenant and k.scope_id = scope and k.key = e.key
                            and k.document_id <> e.document_id order by k.value_rank, k.claim_rank limit 1) other
  )
  select c.part, c.place from candidates c
   where not exists (select from met m where m.document_id = c.document_id and m.key = any(c.keys));
end $$;

-- A role that may not insert claims brings none, and then nothing is inserted. `joined` are groups of one document that fresh claims
-- of another one come into, `left_alone` those in which only the claims of one document are left.
drop function replace_claims(uuid, text, integer, text[], json, json, bytea);
create function replace_claims(tenant uuid, scope text, epoch integer, replaced text[], fresh json, filed json,
                               joined bigint[], left_alone bigint[], content bytea) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  more          bigint := 0;
  less          bigint := 0;
  more_compared bigint := 0;
  less_compared bigint := 0;
  document      record;
begin
  if cardinality(replaced) > 0 then
    delete from claim_keys k using find_filings(tenant, scope, replaced) f
     where k.tenant_id = tenant and k.tableoid = f.part and k.ctid = f.place;
    with gone as (
      delete from claims c using find_claims(tenant, scope, replaced) f
       where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place
      returning c.compared
    )
    select count(*), count(*) filter (where compared) into less, less_compared from gone;
  end if;
  if cardinality(joined) > 0 then
    for document in
      with flagged as (
        update claims c set compared = true from find_uncompared(tenant, scope, joined) f
         where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place
        returning c.document_id, c.version
      )
      select document_id, version, count(*) as claims from flagged group by document_id, version
    loop
      perform count_compared(tenant, scope, document.document_id, document.version, document.claims);
      more_compared := more_compared + document.claims;
    end loop;
  end if;
  if json_array_length(fresh) > 0 then
    for document in
      with inserted as (
        insert into claims (tenant_id, scope_id, document_id, no, version, epoch, kind, claim_rank, keys, value_ranks, compared,
                            sealed)
        select tenant, scope, document, no, version, epoch, kind, rank, keys, ranks, compared,
               substring(content from at + 1 for length)
          from json_to_recordset(fresh) as f(document text, no integer, version integer, kind text, rank bigint,
            keys bigint[], ranks bigint[], compared boolean, at integer, length integer)
        returning document_id, version, compared
      )
      select document_id, version, count(*) as claims, count(*) filter (where compared) as compared
        from inserted group by document_id, version
    loop
      more := more + document.claims;
      continue when document.compared = 0;
      perform count_compared(tenant, scope, document.document_id, document.version, document.compared);
      more_compared := more_compared + document.compared;
    end loop;
    insert into claim_keys (tenant_id, scope_id, key, value_rank, claim_rank, document_id, no, version)
    select tenant, scope, k.key, k.value_rank, k.claim_rank, k.document_id, k.no, k.version
      from json_to_record(filed) as f(documents text[], nos integer[], versions integer[], keys bigint[],
             value_ranks bigint[], claim_ranks bigint[])
     cross join lateral unnest(f.documents, f.nos, f.versions, f.keys, f.value_ranks, f.claim_ranks)
             k(document_id, no, version, key, value_rank, claim_rank);
  end if;
  if cardinality(left_alone) > 0 then
    for document in
      with flagged as (
        update claims c set compared = false from find_no_longer_compared(tenant, scope, left_alone) f
         where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place
        returning c.document_id, c.version
      )
      select document_id, version, count(*) as claims from flagged group by document_id, version
    loop
      perform count_compared(tenant, scope, document.document_id, document.version, -document.claims);
      less_compared := less_compared + document.claims;
    end loop;
  end if;
  if more = less and more_compared = less_compared then return; end if;
  update claim_counts c set claims = c.claims + more - less, compared = c.compared + more_compared - less_compared
   where c.tenant_id = tenant and c.scope_id = scope;
  if not found then
    insert into claim_counts (tenant_id, scope_id, claims, compared)
    values (tenant, scope, more - less, more_compared - less_compared);
  end if;
end $$;

create function count_compared(tenant uuid, scope text, document text, of_version integer, more bigint) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
begin
  update readings r set compared = r.compared + more
   where r.tenant_id = tenant and r.scope_id = scope and r.document_id = document and r.version = of_version;
end $$;

create or replace function close_comparison(groups json, content bytea) returns void
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
        joined bigint[], left_alone bigint[], withdrawn uuid[], changed json, opened json, reopened json, ruled json,
        events json)
    loop
      perform replace_claims(tenant, place.scope, place.epoch, place.replaced, place.claims, place.keys, place.joined,
        place.left_alone, content);
      perform replace_contradictions(tenant, place.scope, place.epoch, place.withdrawn, place.changed, place.opened,
        place.reopened, place.ruled, place.events, content);
      perform note_convergence(tenant, place.scope);
    end loop;
  end loop;
end $$;

-- As before, and it tells of each group whether all its claims are of one document.
create or replace function open_comparison_of(tenant uuid, scope text, at integer, documents text[], wanted bigint[],
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
  unclear  bigint[];
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
    -- The first 40 of a group tell of nearly all whether a new claim can speak for it. It cannot where 32 do already and
    -- come before whatever is new; and there is nothing to compare where all say the same as all that is new.
    select coalesce(array_agg(f.key) filter (where f.state = 'stays'), '{}'),
           coalesce(array_agg(f.key) filter (where f.state = 'near'), '{}'),
           coalesce(array_agg(f.key) filter (where f.state = 'far'), '{}'),
           coalesce(array_agg(f.key) filter (where f.state = 'near' and f.seen = 40), '{}')
      into stays, near, far, unclear
      from (
        select g.key, s.seen,
               case when s.last_value is null and s.seen = 40 then 'far'
                    when (s.last_value, s.last_claim) < (g.low_value, g.low_claim) then 'stays'
                    when s.low_value = g.low_value and s.low_value = s.high_value and s.low_value = g.high_value then 'stays'
                    else 'near' end as state
          from unnest(wanted, low_values, low_claims, high_values) g(key, low_value, low_claim, high_value)
         cross join lateral (
           select count(*) as seen, min(n.value_rank) as low_value, max(n.value_rank) as high_value,
                  (array_agg(n.value_rank) filter (where n.sixth is distinct from n.value_rank))[32] as last_value,
                  (array_agg(n.claim_rank) filter (where n.sixth is distinct from n.value_rank))[32] as last_claim
             from (select k.value_rank, k.claim_rank, lag(k.value_rank, 6) over () as sixth
                     from (select k.value_rank, k.claim_rank from claim_keys k
                            where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key
                            order by k.value_rank, k.claim_rank limit 40) k) n) s
         where s.seen > 0) f;
    return query
    select at, k.document_id, k.no, k.version, g.key, k.value_rank, k.claim_rank, null::bigint[], null::bigint[]
      from unnest(near) g(key)
     cross join lateral (
       select * from claim_keys k where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key
        order by k.value_rank, k.claim_rank limit 40) k;
  end if;

  -- Whose claims the groups have that stay or of which not all claims are returned. A row without a number of a claim tells it: the
  -- document if it is the only one, and as its version 1 if the group stays.
  return query
  select at, case when other.found is null then sole.document_id end, null::integer,
         case when g.key = any(stays) then 1 else 0 end, g.key, null::bigint, null::bigint, null::bigint[], null::bigint[]
    from unnest(stays || far || unclear) g(key)
   cross join lateral (
     select k.document_id from claim_keys k
      where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key and k.document_id <> all(replaced)
      order by k.value_rank, k.claim_rank limit 1) sole
    left join lateral (
     select true as found from claim_keys k
      where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key and k.document_id <> all(replaced)
        and k.document_id <> sole.document_id
      order by k.value_rank, k.claim_rank limit 1) other on true;

  -- From value to value by the index, six claims of each: the cost does not grow with the group.
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
        where w.nth < 32
     )
     select r.value_rank, r.claim_rank, r.document_id, r.no, r.version
       from walk w
      cross join lateral (
        select k.value_rank, k.claim_rank, k.document_id, k.no, k.version from claim_keys k
         where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key and k.value_rank = w.value_rank
           and k.document_id <> all(replaced)
         order by k.claim_rank limit 6) r
     offset 0) m;
end $$;

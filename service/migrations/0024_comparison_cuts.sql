-- breaking: a release that does not know it leaves comparisons that were cut untold.
--
-- Comparisons that were cut.
--
-- Of a group of claims only the representatives are compared, and at most 12 findings of it are kept. A row tells what was left out of a
-- group that has something to disagree about; there is none where nothing was. It follows from the set of claims alone. How many
-- claims a group has is counted once, when it is cut first; from then on the row is moved by what comes and goes.

create table comparison_cuts (
  tenant_id uuid not null,
  scope_id  text collate "C" not null,
  group_key bigint not null,
  -- Claims that do not represent the group.
  claims    integer not null,
  -- Findings beyond the first 12.
  findings  integer not null,
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

-- How many groups are cut, and what was left out of them together.
alter table claim_counts
  add column cuts         integer not null default 0,
  add column cut_claims   bigint not null default 0,
  add column cut_findings bigint not null default 0;

create or replace function weigh_claims() returns trigger
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  update scope_convergence c set claims = new.claims, compared = new.compared, cuts = new.cuts
   where c.tenant_id = new.tenant_id and c.scope_id = new.scope_id;
  return null;
end $$;

-- Groups of earlier releases are counted once, those of which claims were left out. The table owner is bound by row-level security as
-- well, so it is lifted inside this transaction.
do $$
declare
  target text;
begin
  foreach target in array array['claim_keys', 'claim_counts', 'comparison_cuts', 'scope_convergence'] loop
    execute format('alter table %I no force row level security', target);
  end loop;
  insert into comparison_cuts (tenant_id, scope_id, group_key, claims, findings)
  select tenant_id, scope_id, key, sum(claims) - least(32, sum(least(6, claims))), 0
    from (select tenant_id, scope_id, key, value_rank, count(*) as claims from claim_keys
           group by tenant_id, scope_id, key, value_rank) v
   group by tenant_id, scope_id, key having count(*) > 1 and sum(claims) > least(32, sum(least(6, claims)));
  update claim_counts n set cuts = c.cuts, cut_claims = c.claims
    from (select tenant_id, scope_id, count(*) as cuts, sum(claims) as claims from comparison_cuts
           group by tenant_id, scope_id) c
   where n.tenant_id = c.tenant_id and n.scope_id = c.scope_id;
  foreach target in array array['claim_keys', 'claim_counts', 'comparison_cuts', 'scope_convergence'] loop
    execute format('alter table %I force row level security', target);
  end loop;
end $$;

-- Writes what is left out of groups from now on, a list for each column; both are 0 where nothing is. Whoever calls says by how much
-- more groups, claims and findings are cut by it, because it knows what was there before.
create function replace_cuts(tenant uuid, scope text, changed json, out groups bigint, out claims bigint, out findings bigint)
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  cut record;
  gone bigint;
begin
  groups := 0;
  claims := 0;
  findings := 0;
  if changed is null then return; end if;
  select * into cut from json_to_record(changed) as c(keys bigint[], claims integer[], findings integer[], more_groups bigint,
    more_claims bigint, more_findings bigint);
  insert into comparison_cuts as c (tenant_id, scope_id, group_key, claims, findings)
  select tenant, scope, n.key, n.claims, n.findings from unnest(cut.keys, cut.claims, cut.findings) n(key, claims, findings)
   where n.claims + n.findings > 0
  on conflict (tenant_id, scope_id, group_key) do update set claims = excluded.claims, findings = excluded.findings;
  for gone in
    select n.key from unnest(cut.keys, cut.claims, cut.findings) n(key, claims, findings) where n.claims + n.findings = 0
  loop
    delete from comparison_cuts c where c.tenant_id = tenant and c.scope_id = scope and c.group_key = gone;
  end loop;
  groups := cut.more_groups;
  claims := cut.more_claims;
  findings := cut.more_findings;
end $$;

drop function replace_claims(uuid, text, integer, text[], json, json, bytea);
create function replace_claims(tenant uuid, scope text, epoch integer, replaced text[], fresh json, filed json,
                               joined bigint[], left_alone bigint[], cuts json, content bytea) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  more          bigint := 0;
  less          bigint := 0;
  more_compared bigint := 0;
  less_compared bigint := 0;
  document      record;
  cut           record;
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
  select * into cut from replace_cuts(tenant, scope, cuts);
  if more = less and more_compared = less_compared and (cut.groups, cut.claims, cut.findings) = (0, 0, 0) then return; end if;
  update claim_counts c set claims = c.claims + more - less, compared = c.compared + more_compared - less_compared,
         cuts = c.cuts + cut.groups, cut_claims = c.cut_claims + cut.claims, cut_findings = c.cut_findings + cut.findings
   where c.tenant_id = tenant and c.scope_id = scope;
  if not found then
    insert into claim_counts (tenant_id, scope_id, claims, compared, cuts, cut_claims, cut_findings)
    values (tenant, scope, more - less, more_compared - less_compared, cut.groups, cut.claims, cut.findings);
  end if;
end $$;

-- Tells how much of all comparisons of the scope was cut.
create function tell_cut(tenant uuid, scope text, epoch integer) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  position bigint;
begin
  update scope_heads h set head = h.head + 1 where h.tenant_id = tenant and h.scope_id = scope returning h.head into position;
  insert into scope_log (tenant_id, scope_id, seq, epoch, kind, data)
  select tenant, scope, position, epoch, 'comparison.cut',
         jsonb_build_object('groups', c.cuts, 'claims', c.cut_claims, 'findings', c.cut_findings)
    from claim_counts c where c.tenant_id = tenant and c.scope_id = scope;
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
        joined bigint[], left_alone bigint[], cuts json, is_cut boolean, withdrawn uuid[], changed json, opened json,
        reopened json, ruled json, events json)
    loop
      perform replace_claims(tenant, place.scope, place.epoch, place.replaced, place.claims, place.keys, place.joined,
        place.left_alone, place.cuts, content);
      perform replace_contradictions(tenant, place.scope, place.epoch, place.withdrawn, place.changed, place.opened,
        place.reopened, place.ruled, place.events, content);
      if place.is_cut then perform tell_cut(tenant, place.scope, place.epoch); end if;
      perform note_convergence(tenant, place.scope);
    end loop;
  end loop;
end $$;

-- Of a row that tells of a group: what is left out of it, where something is; else, where its claims do not all say the same and are
-- not all returned, how many there are.
alter type compared add attribute cut_claims integer;
alter type compared add attribute cut_findings integer;
alter type compared add attribute counted integer;

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
               null::bigint[], null::integer, null::integer, null::integer;
      end if;
      return query
      select * from open_comparison_of(tenant, place.scope, place.at, place.documents, place.keys, place.low_values,
        place.low_claims, place.high_values);
    end loop;
  end loop;
end $$;

-- As before, and it tells what is left out of groups. A group of 32 to 39 claims is always returned: it may be complete until now.
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
  -- Groups of which a row tells, with the lowest and the highest of the new values.
  told     bigint[];
  lows     bigint[];
  highs    bigint[];
  has_cuts boolean;
begin
  has_cuts := exists (select from comparison_cuts c where c.tenant_id = tenant and c.scope_id = scope limit 1);
  return query
  select at, d.document_id, null::integer, d.version, null::bigint, null::bigint, null::bigint, null::bigint[],
         null::bigint[], null::integer, null::integer, null::integer
    from unnest(documents) u(document_id)
   cross join lateral (select d.document_id, d.version from documents d
                        where d.tenant_id = tenant and d.scope_id = scope and d.document_id = u.document_id limit 1) d;

  replaced := array(
    select u.document_id from unnest(documents) u(document_id)
     cross join lateral (select from claims c where c.tenant_id = tenant and c.scope_id = scope
                            and c.document_id = u.document_id limit 1) c);
  if cardinality(replaced) > 0 then
    return query
    select at, c.document_id, c.no, c.version, null::bigint, null::bigint, c.claim_rank, c.keys, c.value_ranks,
           null::integer, null::integer, null::integer
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
    told := far;
    lows := low_values;
    highs := high_values;
  else
    -- The first 40 of a group tell of nearly all whether a new claim can speak for it. It cannot where 32 do already and
    -- come before whatever is new; and there is nothing to compare where all say the same as all that is new.
    select coalesce(array_agg(f.key) filter (where f.state = 'stays'), '{}'),
           coalesce(array_agg(f.key) filter (where f.state = 'near'), '{}'),
           coalesce(array_agg(f.key) filter (where f.state = 'far'), '{}'),
           array_agg(f.key) filter (where f.state <> 'near' or f.seen = 40 or f.is_cut),
           array_agg(f.low_value) filter (where f.state <> 'near' or f.seen = 40 or f.is_cut),
           array_agg(f.high_value) filter (where f.state <> 'near' or f.seen = 40 or f.is_cut)
      into stays, near, far, told, lows, highs
      from (
        select g.key, g.low_value, g.high_value, s.seen,
               has_cuts and exists (select from comparison_cuts c where c.tenant_id = tenant and c.scope_id = scope
                                       and c.group_key = g.key limit 1) as is_cut,
               case when s.last_value is null and s.seen = 40 then 'far'
                    when s.seen = 40 and (s.last_value, s.last_claim) < (g.low_value, g.low_claim) then 'stays'
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
    select at, k.document_id, k.no, k.version, g.key, k.value_rank, k.claim_rank, null::bigint[], null::bigint[],
           null::integer, null::integer, null::integer
      from unnest(near) g(key)
     cross join lateral (
       select * from claim_keys k where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key
        order by k.value_rank, k.claim_rank limit 40) k;
  end if;

  -- A row without a number of a claim tells of a group: the document if its claims are all of one, whether it stays (as version 1) or has
  -- no other claims (2), and what is left out of it. Claims of one document are 400 at most, so it is soon clear whether there is another.
  return query
  select at, case when other.found is null then sole.document_id end, null::integer,
         case when sole.document_id is null then 2 when g.key = any(stays) then 1 else 0 end, g.key, null::bigint,
         null::bigint, null::bigint[], null::bigint[], cut.claims, cut.findings,
         case when cut.claims is null and g.key <> all(coalesce(stays, '{}'))
                and least(sole.value_rank, g.low_value) < greatest(high.value_rank, g.high_value)
              then (select count(*)::integer from claim_keys k
                     where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key and k.document_id <> all(replaced)) end
    from unnest(told, lows, highs) g(key, low_value, high_value)
    left join lateral (
     select c.claims, c.findings from comparison_cuts c
      where has_cuts and c.tenant_id = tenant and c.scope_id = scope and c.group_key = g.key limit 1) cut on true
    left join lateral (
     select k.document_id, k.value_rank from claim_keys k
      where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key and k.document_id <> all(replaced)
      order by k.value_rank, k.claim_rank limit 1) sole on true
    left join lateral (
     select true as found from claim_keys k
      where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key and k.document_id <> all(replaced)
        and k.document_id <> sole.document_id
      order by k.value_rank, k.claim_rank limit 1) other on true
    left join lateral (
     select k.value_rank from claim_keys k
      where cut.claims is null and k.tenant_id = tenant and k.scope_id = scope and k.key = g.key
        and k.document_id <> all(replaced)
      order by k.value_rank desc, k.claim_rank desc limit 1) high on true;

  -- From value to value by the index, six claims of each: the cost does not grow with the group.
  return query
  select at, m.document_id, m.no, m.version, g.key, m.value_rank, m.claim_rank, null::bigint[], null::bigint[],
         null::integer, null::integer, null::integer
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

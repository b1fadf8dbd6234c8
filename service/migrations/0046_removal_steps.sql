-- breaking: a release that does not know it takes a comparison step without facts for one that is done.
--
-- What removing a document leaves to be compared.
--
-- A removal takes the claims of the document and all that was found by them away. The groups that lose a claim and keep claims of others are to
-- be compared anew; where that is much, it is left to comparison steps of up to 100 groups each. They are counted like the steps of facts,
-- so the scope is `working` until the last one ends, but need no language model.

alter table comparison_steps
  add column kind   text not null default 'facts' check (kind in ('facts', 'groups')),
  -- Of a step of groups.
  add column groups bigint[] not null default '{}',
  alter column document_id drop not null,
  alter column version drop not null,
  add check ((kind = 'facts') = (document_id is not null));

create index comparison_steps_of_groups on comparison_steps (tenant_id, due_at) where kind = 'groups';

grant select (kind) on comparison_steps to concord_kernel;
grant insert on fact_counts to concord_api;

-- How many claims a group has that is cut: what does not represent it follows from this also after claims went unseen.
alter table comparison_cuts add column total integer not null default 0;

-- Groups of earlier releases are counted once. The table owner is bound by row-level security as well, so it is lifted inside this
-- transaction.
do $$
declare
  target text;
begin
  foreach target in array array['claim_keys', 'comparison_cuts'] loop
    execute format('alter table %I no force row level security', target);
  end loop;
  update comparison_cuts c set total = k.claims
    from (select tenant_id, scope_id, key, count(*) as claims from claim_keys group by tenant_id, scope_id, key) k
   where k.tenant_id = c.tenant_id and k.scope_id = c.scope_id and k.key = c.group_key;
  foreach target in array array['claim_keys', 'comparison_cuts'] loop
    execute format('alter table %I force row level security', target);
  end loop;
end $$;

-- Writes what is left out of groups from now on, a list for each column; both are 0 where nothing is. Whoever calls says by how much
-- more groups, claims and findings are cut by it, because it knows what was there before.
create or replace function replace_cuts(tenant uuid, scope text, changed json, out groups bigint, out claims bigint, out findings bigint)
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
  select * into cut from json_to_record(changed) as c(keys bigint[], claims integer[], findings integer[], totals integer[],
    more_groups bigint, more_claims bigint, more_findings bigint);
  insert into comparison_cuts as c (tenant_id, scope_id, group_key, claims, findings, total)
  select tenant, scope, n.key, n.claims, n.findings, n.total
    from unnest(cut.keys, cut.claims, cut.findings, cut.totals) n(key, claims, findings, total)
   where n.claims + n.findings > 0
  on conflict (tenant_id, scope_id, group_key) do update
    set claims = excluded.claims, findings = excluded.findings, total = excluded.total;
  for gone in
    select n.key from unnest(cut.keys, cut.claims, cut.findings) n(key, claims, findings) where n.claims + n.findings = 0
  loop
    delete from comparison_cuts c where c.tenant_id = tenant and c.scope_id = scope and c.group_key = gone;
  end loop;
  groups := cut.more_groups;
  claims := cut.more_claims;
  findings := cut.more_findings;
end $$;

-- As before; of a group that is cut it tells the number of its claims as well.
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
         case when cut.claims is not null then cut.total
              when g.key <> all(coalesce(stays, '{}'))
                and least(sole.value_rank, g.low_value) < greatest(high.value_rank, g.high_value)
              then (select count(*)::integer from claim_keys k
                     where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key and k.document_id <> all(replaced)) end
    from unnest(told, lows, highs) g(key, low_value, high_value)
    left join lateral (
     select c.claims, c.findings, c.total from comparison_cuts c
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

-- The groups that the claims of a document are in, and how many of them are in each. Declared as one row, like all that unpacks
-- lists here (0013).
create function find_groups_of(tenant uuid, scope text, document text) returns table (key bigint, claims integer)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select k.key, count(*)::integer from claims c cross join lateral unnest(c.keys) k(key)
   where c.tenant_id = tenant and c.scope_id = scope and c.document_id = document group by k.key order by k.key;
end $$;

-- Leaves the groups of a document whose claims are about to go to comparison steps of so many groups each, where claims of other documents
-- remain; needs the head to be held. Answers whether the document has claims that a language model extracted: those are in no group.
create function leave_groups(tenant uuid, scope text, of_epoch integer, document text, size integer) returns boolean
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  kept  bigint[];
  empty bigint[];
  made  integer;
  first bigint;
  cut   record;
begin
  select coalesce(array_agg(g.key) filter (where o.found), '{}'), coalesce(array_agg(g.key) filter (where o.found is null), '{}')
    into kept, empty
    from find_groups_of(tenant, scope, document) g
    left join lateral (select true as found from claim_keys k where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key
                          and k.document_id <> document order by k.value_rank, k.claim_rank limit 1) o on true;

  update comparison_cuts c set total = c.total - g.claims from find_groups_of(tenant, scope, document) g
   where c.tenant_id = tenant and c.scope_id = scope and c.group_key = g.key;
  with gone as (
    delete from comparison_cuts c using unnest(empty) e(key)
     where c.tenant_id = tenant and c.scope_id = scope and c.group_key = e.key
    returning c.claims, c.findings
  )
  select count(*) as groups, coalesce(sum(claims), 0) as claims, coalesce(sum(findings), 0) as findings into cut from gone;
  if cut.groups > 0 then
    update claim_counts c set cuts = c.cuts - cut.groups, cut_claims = c.cut_claims - cut.claims,
           cut_findings = c.cut_findings - cut.findings
     where c.tenant_id = tenant and c.scope_id = scope;
  end if;

  if cardinality(kept) > 0 then
    made := (cardinality(kept) + size - 1) / size;
    insert into fact_counts as c (tenant_id, scope_id, position, last_step, facts, tokens, steps, refused)
    values (tenant, scope, 0, made, 0, 0, made, 0)
    on conflict (tenant_id, scope_id) do update set last_step = c.last_step + made, steps = c.steps + made
    returning last_step - made into first;
    insert into comparison_steps (tenant_id, scope_id, step, epoch, kind, position, facts, groups)
    select tenant, scope, first + nth, of_epoch, 'groups', 0, '{}', kept[(nth - 1) * size + 1 : nth * size]
      from generate_series(1, made) s(nth);
  end if;

  return exists (select from claims c where c.tenant_id = tenant and c.scope_id = scope and c.document_id = document
                    and cardinality(c.keys) = 0);
end $$;

-- What was found by the claims of a document, but for what was reported.
create function find_contradictions_of(tenant uuid, scope text, document text) returns setof contradictions
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select c.* from contradictions c
   where c.document_a = document and c.tenant_id = tenant and c.scope_id = scope and c.group_key is not null
  union all
  select c.* from contradictions c
   where c.document_b = document and c.document_a <> document and c.tenant_id = tenant and c.scope_id = scope
     and c.group_key is not null;
end $$;

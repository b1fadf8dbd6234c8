-- Reads for one scope what open_comparison answers. A group that has eight claims more than represent it, or fewer, is always
-- returned, because it may have been complete until now; of a group that is cut it tells what is left out, and the number of its claims.
create or replace function open_comparison_of(tenant uuid, scope text, at integer, documents text[], wanted bigint[],
                                   low_values bigint[], low_claims bigint[], high_values bigint[], of_value integer, of_group integer)
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
  -- The first claims of a group that are looked at.
  looked_at integer := of_group + 8;
begin
  has_cuts := exists (select from comparison_cuts c where c.tenant_id = tenant and c.scope_id = scope limit 1);
  return query
  select at, d.document_id, null::integer, d.version, null::bigint, null::bigint, null::bigint, null::bigint[],
         null::bigint[], null::integer, null::integer, null::integer, 'version'::opening_row
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
           null::integer, null::integer, null::integer,
           (case c.compared_by when 'facts' then 'old_fact' else 'old_claim' end)::opening_row
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
    -- The first of a group tell of nearly all whether a new claim can speak for it. It cannot where as many as may do already and
    -- come before whatever is new; and there is nothing to compare where all say the same as all that is new.
    select coalesce(array_agg(f.key) filter (where f.state = 'stays'), '{}'),
           coalesce(array_agg(f.key) filter (where f.state = 'near'), '{}'),
           coalesce(array_agg(f.key) filter (where f.state = 'far'), '{}'),
           array_agg(f.key) filter (where f.state <> 'near' or f.seen = looked_at or f.is_cut),
           array_agg(f.low_value) filter (where f.state <> 'near' or f.seen = looked_at or f.is_cut),
           array_agg(f.high_value) filter (where f.state <> 'near' or f.seen = looked_at or f.is_cut)
      into stays, near, far, told, lows, highs
      from (
        select g.key, g.low_value, g.high_value, s.seen,
               has_cuts and exists (select from comparison_cuts c where c.tenant_id = tenant and c.scope_id = scope
                                       and c.group_key = g.key limit 1) as is_cut,
               case when s.last_value is null and s.seen = looked_at then 'far'
                    when s.seen = looked_at and (s.last_value, s.last_claim) < (g.low_value, g.low_claim) then 'stays'
                    when s.low_value = g.low_value and s.low_value = s.high_value and s.low_value = g.high_value then 'stays'
                    else 'near' end as state
          from unnest(wanted, low_values, low_claims, high_values) g(key, low_value, low_claim, high_value)
         cross join lateral (
           select count(*) as seen, min(n.value_rank) as low_value, max(n.value_rank) as high_value,
                  (array_agg(n.value_rank) filter (where n.same_value is distinct from n.value_rank))[of_group] as last_value,
                  (array_agg(n.claim_rank) filter (where n.same_value is distinct from n.value_rank))[of_group] as last_claim
             from (select k.value_rank, k.claim_rank, lag(k.value_rank, of_value) over () as same_value
                     from (select k.value_rank, k.claim_rank from claim_keys k
                            where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key
                            order by k.value_rank, k.claim_rank limit looked_at) k) n) s
         where s.seen > 0) f;
    return query
    select at, k.document_id, k.no, k.version, g.key, k.value_rank, k.claim_rank, null::bigint[], null::bigint[],
           null::integer, null::integer, null::integer, 'member'::opening_row
      from unnest(near) g(key)
     cross join lateral (
       select * from claim_keys k where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key
        order by k.value_rank, k.claim_rank limit looked_at) k;
  end if;

  -- The row of a group names the document that all its claims are of, where they are all of one, and says what is left out of it. Claims of
  -- one document are 400 at most, so it is soon clear whether there is another.
  return query
  select at, case when other.found is null then sole.document_id end, null::integer,
         null::integer, g.key, null::bigint, null::bigint, null::bigint[], null::bigint[], cut.claims, cut.findings,
         case when cut.claims is not null then cut.total
              when g.key <> all(coalesce(stays, '{}'))
                and least(sole.value_rank, g.low_value) < greatest(high.value_rank, g.high_value)
              then (select count(*)::integer from claim_keys k
                     where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key and k.document_id <> all(replaced)) end,
         (case when sole.document_id is null then 'empty_group' when g.key = any(stays) then 'unmoved_group'
               else 'touched_group' end)::opening_row
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

  -- From value to value by the index, some claims of each: the cost does not grow with the group.
  return query
  select at, m.document_id, m.no, m.version, g.key, m.value_rank, m.claim_rank, null::bigint[], null::bigint[],
         null::integer, null::integer, null::integer, 'member'::opening_row
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
        where w.nth < of_group
     )
     select r.value_rank, r.claim_rank, r.document_id, r.no, r.version
       from walk w
      cross join lateral (
        select k.value_rank, k.claim_rank, k.document_id, k.no, k.version from claim_keys k
         where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key and k.value_rank = w.value_rank
           and k.document_id <> all(replaced)
         order by k.claim_rank limit of_value) r
     offset 0) m;
end $$;

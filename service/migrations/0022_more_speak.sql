-- Thirty-two speak for a group, six of each value, instead of 16 and three. Which of many claims do follows from hashes with a key
-- of the tenant, and with 16 the same documents gave other findings for another tenant: of 39 labelled topics that reading is
-- measured on, 18 to 21 were found by six keys; with 32 all six find the same 22.

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
           coalesce(array_agg(f.key) filter (where f.state = 'far'), '{}')
      into stays, near, far
      from (
        select g.key,
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
    select at, null, null::integer, null::integer, g.key, null::bigint, null::bigint, null::bigint[], null::bigint[]
      from unnest(stays) g(key);
    return query
    select at, k.document_id, k.no, k.version, g.key, k.value_rank, k.claim_rank, null::bigint[], null::bigint[]
      from unnest(near) g(key)
     cross join lateral (
       select * from claim_keys k where k.tenant_id = tenant and k.scope_id = scope and k.key = g.key
        order by k.value_rank, k.claim_rank limit 40) k;
  end if;

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

-- breaking: a release that does not know it files claims without saying whether they are compared.
--
-- Claims that are compared.
--
-- A claim is compared when a claim of another document is in one of its groups. That follows from the set of claims alone. Most
-- groups have claims of one document, or of many; a flag changes only where a group of one document gets a second document, or
-- loses it. A document has at most 400 claims, so looking for a claim of another document never reads more than those.

alter table claims add column compared boolean not null default false;
alter table claim_counts add column compared bigint not null default 0;

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

create function count_compared(tenant uuid, scope text, document text, of_version integer, more bigint) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
begin
  update readings r set compared = r.compared + more
   where r.tenant_id = tenant and r.scope_id = scope and r.document_id = document and r.version = of_version;
end $$;

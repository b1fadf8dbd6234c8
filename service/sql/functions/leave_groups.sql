-- Leaves the groups of a document whose claims are about to be removed to comparison steps, each with a number of
-- groups, where claims of other documents remain. Needs the lock on the head. It answers whether the document has
-- claims that a language model extracted: those are in no group.
create or replace function leave_groups(tenant uuid, scope text, of_epoch integer, document text, size integer) returns boolean
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
                    and c.compared_by = 'facts');
end $$;

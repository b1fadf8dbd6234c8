-- Reads the last decision on each of these contradictions of one scope.
create or replace function read_verdicts_of(tenant uuid, scope text, at integer, ids uuid[]) returns setof verdict
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select at, d.contradiction_id, d.result, d.upheld, d.against, d.decided_by, d.policy_hash, d.policies, null::integer,
         d.document_ids, 'decision'::verdict_row
    from unnest(ids) w(id)
   cross join lateral (select * from decisions d where d.contradiction_id = w.id and d.tenant_id = tenant
                          and d.scope_id = scope and d.result in ('resolved', 'dismissed', 'reopened')
                        order by d.seq desc limit 1) d;
end $$;

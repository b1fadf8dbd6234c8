-- Comparing asks which documents a contradiction named when it was decided: one that was dismissed goes on naming these, or is open again.

alter type verdict add attribute document_ids text[];

create or replace function read_verdicts(groups json) returns setof verdict
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in select * from json_to_recordset(scopes) s(at integer, scope text, ids uuid[]) loop
      return query select * from read_verdicts_of(tenant, place.scope, place.at, place.ids);
      return query
      select place.at, null::uuid, null::text, null::bigint, null::text[], null::text, null::bytea, null::text[], p.changes,
             null::text[]
        from policy_heads p where p.tenant_id = tenant;
    end loop;
  end loop;
end $$;

create or replace function read_verdicts_of(tenant uuid, scope text, at integer, ids uuid[]) returns setof verdict
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select at, d.contradiction_id, d.result, d.upheld, d.against, d.decided_by, d.policy_hash, d.policies, null::integer,
         d.document_ids
    from unnest(ids) w(id)
   cross join lateral (select * from decisions d where d.contradiction_id = w.id and d.tenant_id = tenant
                          and d.scope_id = scope and d.result in ('resolved', 'dismissed', 'reopened')
                        order by d.seq desc limit 1) d;
end $$;

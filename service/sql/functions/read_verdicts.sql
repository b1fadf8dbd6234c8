-- Reads the last decision on each of these contradictions, also of ones that do not exist at the moment, and the number
-- of policy changes of the tenant.
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
             null::text[], 'policy_changes'::verdict_row
        from policy_heads p where p.tenant_id = tenant;
    end loop;
  end loop;
end $$;

-- Records requests to the judge. A waiting request keeps its turn, and gets the current positions of both claims. Needs
-- the lock on the head of the scope.
create or replace function record_judge_requests(groups json) returns void
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in select * from json_to_recordset(scopes) s(scope text, epoch integer, requests json) loop
      insert into judge_requests as r (tenant_id, scope_id, pair, epoch, group_key, document_a, no_a, version_a, document_b,
                                       no_b, version_b)
      select tenant, place.scope, decode(q.pair, 'hex'), place.epoch, q.group_key, q.document_a, q.no_a, q.version_a,
             q.document_b, q.no_b, q.version_b
        from json_to_recordset(place.requests) as q(pair text, group_key bigint, document_a text, no_a integer,
               version_a integer, document_b text, no_b integer, version_b integer)
          on conflict (tenant_id, scope_id, pair) do update
         set group_key = excluded.group_key, document_a = excluded.document_a, no_a = excluded.no_a,
             version_a = excluded.version_a, document_b = excluded.document_b, no_b = excluded.no_b,
             version_b = excluded.version_b;
    end loop;
  end loop;
end $$;

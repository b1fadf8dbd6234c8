-- Reads the claims that represent changing groups, and the earlier findings in those groups.
create or replace function read_comparison(groups json) returns setof compared_content
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in
      select * from json_to_recordset(scopes) s(at integer, scope text, documents text[], nos integer[], groups bigint[])
    loop
      return query
      select * from read_comparison_of(tenant, place.scope, place.at, place.documents, place.nos, place.groups);
    end loop;
  end loop;
end $$;

-- Finds the groups that change when documents get other claims: it reads the newest version of each document, its
-- previous claims, and the other representatives of each affected group. `row_kind` tells what a row is. The limits are
-- the numbers of claims that represent a value and a group.
create or replace function open_comparison(groups json, of_value integer, of_group integer) returns setof compared
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in
      select * from json_to_recordset(scopes) s(at integer, scope text, documents text[], keys bigint[],
        low_values bigint[], low_claims bigint[], high_values bigint[])
    loop
      return query
      select place.at, null, null::integer, null::integer, null::bigint, null::bigint, null::bigint, null::bigint[], null::bigint[],
             null::integer, null::integer, null::integer, flag::opening_row
        from unnest(judge_flags(tenant, place.scope)) flag;
      return query
      select * from open_comparison_of(tenant, place.scope, place.at, place.documents, place.keys, place.low_values,
        place.low_claims, place.high_values, of_value, of_group);
    end loop;
  end loop;
end $$;

-- Reads what it takes to see which groups change when documents are to have other claims than they had: the newest version of each, the
-- claims it had, and who else represents each group that is touched. `row_kind` says what a row tells of.
-- So many claims of a value, and of a group, represent it.
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

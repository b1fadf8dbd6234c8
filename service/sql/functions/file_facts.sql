-- Files the facts of documents whose claims are replaced or removed. It answers which of their facts are compared
-- already, and which contradictions are shown by another claim from now on, because their claim is removed or a claim
-- of a lower document id is added.
create or replace function file_facts(groups json, facts_of_step integer) returns setof filed_fact
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in
      select * from json_to_recordset(scopes) s(at integer, scope text, epoch integer, documents text[], keys bigint[],
        authors integer[], tokens integer[], words text[], witness_keys bigint[], witness_documents text[],
        witness_nos integer[], witness_versions integer[])
    loop
      return query
      select * from file_facts_of(tenant, place.scope, place.at, place.epoch, place.documents, place.keys, place.authors,
        place.tokens, place.words, place.witness_keys, place.witness_documents, place.witness_nos, place.witness_versions,
        facts_of_step);
    end loop;
  end loop;
end $$;

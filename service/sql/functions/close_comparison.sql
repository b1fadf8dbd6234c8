-- Writes the outcome of a comparison. All sealed values are parts of one content value, as in accept_documents.
create or replace function close_comparison(groups json, content bytea) returns void
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in
      select * from json_to_recordset(scopes) s(scope text, epoch integer, replaced text[], claims json, keys json,
        joined bigint[], left_alone bigint[], cuts json, is_cut boolean, withdrawn uuid[], changed json, opened json,
        reopened json, ruled json, events json)
    loop
      perform replace_claims(tenant, place.scope, place.epoch, place.replaced, place.claims, place.keys, place.joined,
        place.left_alone, place.cuts, content);
      perform replace_contradictions(tenant, place.scope, place.epoch, place.withdrawn, place.changed, place.opened,
        place.reopened, place.ruled, place.events, content);
      if place.is_cut then perform tell_cut(tenant, place.scope, place.epoch); end if;
      perform record_convergence(tenant, place.scope);
    end loop;
  end loop;
end $$;

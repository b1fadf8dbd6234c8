-- Reads earlier verdicts of the judge on these pairs of sentences, in several scopes of several tenants.
create or replace function read_judge_verdicts(groups json) returns table (at integer, pair text, verdict text, model text)
  language plpgsql as $$
declare
  tenant uuid;
  scopes json;
  place  record;
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes json) loop
    perform set_config('app.tenant', tenant::text, true);
    for place in select * from json_to_recordset(scopes) s(at integer, scope text, pairs text[]) loop
      return query select place.at, v.pair, v.verdict, v.model from read_judge_verdicts_of(tenant, place.scope, place.pairs) v;
    end loop;
  end loop;
end $$;

-- Records the convergence of scopes of several tenants, whose heads the caller has locked: [{tenant, scopes: [...]}].
create or replace function record_convergences(groups json) returns void language plpgsql as $$
declare
  tenant uuid;
  scopes text[];
begin
  for tenant, scopes in select g.tenant, g.scopes from json_to_recordset(groups) g(tenant uuid, scopes text[]) loop
    perform set_config('app.tenant', tenant::text, true);
    perform record_convergence(tenant, scope) from unnest(scopes) scope;
  end loop;
end $$;

-- Completes many attempts, tenant by tenant. Items of a scope whose head another transaction holds are answered `busy`
-- and not written.
create or replace function complete_attempts(groups json, content bytea) returns setof settle_answer
  language plpgsql as $$
declare
  tenant uuid;
  items  json;
  made   json;
  busy   text[];
  waits  boolean := true;
begin
  for tenant, items, made in
    select g.tenant, g.items, g.decisions from json_to_recordset(groups) g(tenant uuid, items json, decisions json)
  loop
    perform set_config('app.tenant', tenant::text, true);
    busy := lock_heads(tenant, scopes_of(items), waits, json_array_length(groups) = 1);
    if cardinality(busy) > 0 then
      waits := false;
      return query select (i ->> 'item')::integer, 'busy' from items_of(items, busy, true) i;
    end if;
    return query select * from complete_attempts_of(tenant, items_left(items, busy), content, made);
  end loop;
end $$;

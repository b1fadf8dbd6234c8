-- Completes results without claims in one statement. If a document has earlier claims, they are removed, and that must
-- be compared first: nothing of its tenant is completed then, and each of its items is answered `compare`.
create or replace function complete_readings(groups json, content bytea) returns setof settle_answer
  language plpgsql as $$
declare
  tenant  uuid;
  items   json;
  made    json;
  busy    text[];
  waits   boolean := true;
  answers settle_answer[];
begin
  for tenant, items, made in
    select g.tenant, g.items, g.decisions from json_to_recordset(groups) g(tenant uuid, items json, decisions json)
  loop
    perform set_config('app.tenant', tenant::text, true);
    busy := lock_heads(tenant, scopes_of(items), waits, json_array_length(groups) = 1);
    if cardinality(busy) > 0 then
      waits := false;
      return query select (i ->> 'item')::integer, 'busy' from items_of(items, busy, true) i;
      items := items_left(items, busy);
    end if;
    if replaces_claims(tenant, items) then
      return query select item, 'compare' from attempt_items(items);
    else
      answers := array(select a from complete_attempts_of(tenant, items, content, made) a);
      return query select * from unnest(answers);
      -- A stale result has no effect, not even this one.
      perform record_convergence(tenant, s.scope_id)
         from (select distinct i.scope_id from attempt_items(items) i
                 join unnest(answers) a on a.item = i.item where a.outcome = 'settled') s;
    end if;
  end loop;
end $$;

-- Defers attempts that could not run, when the document is not the cause. They are not counted, and the work is back in
-- the backlog. The fence is that of completion. A growing delay is limited by a number of doublings and a maximum in
-- milliseconds.
create or replace function defer_attempts(groups json, max_doublings integer, max_after_ms integer) returns setof settle_answer
  language plpgsql as $$
declare
  tenant uuid;
  items  json;
  busy   text[];
  waits  boolean := true;
begin
  for tenant, items in select g.tenant, g.items from json_to_recordset(groups) g(tenant uuid, items json) loop
    perform set_config('app.tenant', tenant::text, true);
    busy := lock_heads(tenant, scopes_of(items), waits, json_array_length(groups) = 1);
    if cardinality(busy) > 0 then
      waits := false;
      return query select (i ->> 'item')::integer, 'busy' from items_of(items, busy, true) i;
    end if;
    return query select * from defer_attempts_of(tenant, items_left(items, busy), max_doublings, max_after_ms);
  end loop;
end $$;

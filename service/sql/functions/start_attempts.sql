-- Starts many attempts, tenant by tenant in ascending order. Items of a scope whose head another transaction holds are
-- answered `busy`. If the last allowed attempt ended without a result, the document fails instead of starting again.
create or replace function start_attempts(groups json, max_attempts integer) returns setof claim_answer
  language plpgsql as $$
declare
  tenant       uuid;
  items        json;
  busy         text[];
  waits        boolean := true;
  service_runs boolean;
  runs         boolean;
  answer       claim_answer;
  exhausted    integer[];
begin
  perform hold_service_switch();
  service_runs := (select state = 'running' from service_switch);
  for tenant, items in select g.tenant, g.items from json_to_recordset(groups) g(tenant uuid, items json) loop
    perform set_config('app.tenant', tenant::text, true);
    perform hold_tenant_switch(tenant);
    runs := service_runs and not exists (select from tenant_switches where tenant_id = tenant and state <> 'running'); -- @point attempt.start.switches
    busy := lock_heads(tenant, scopes_of(items), waits);
    if cardinality(busy) > 0 then
      waits := false;
      for answer in select (i ->> 'item')::integer, 'busy' from items_of(items, busy, true) i loop
        return next answer;
      end loop;
    end if;
    exhausted := '{}';
    for answer in select * from start_attempts_of(tenant, items_left(items, busy), max_attempts, runs) loop
      if answer.outcome = 'exhausted' then exhausted := exhausted || answer.item; end if;
      return next answer;
    end loop;
    if cardinality(exhausted) > 0 then
      perform record_convergence(tenant, s.scope_id)
         from (select distinct i.scope_id from attempt_items(items) i where i.item = any(exhausted)) s;
    end if;
  end loop;
end $$;

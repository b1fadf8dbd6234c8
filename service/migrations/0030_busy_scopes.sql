-- A scope that somebody holds keeps nobody else waiting.
--
-- Whoever accepts documents, starts attempts or completes them does so for many scopes in one statement, and waited for the head of each.
-- One head that was held for long took the documents of all others in the statement along, and whoever moved a switch waited behind the
-- claims. Now a statement waits once, and shortly: documents of a scope that is busy are answered `busy`, nothing of them is written, and
-- they are tried again in a statement of their own.

-- For as long as a usual transaction holds a head on a slow disk.
create function wait_for_head(tenant uuid, scope text) returns void
  language plpgsql
  set lock_timeout = '200ms' -- @point scope.lock-timeout
  as $$
begin
  perform from scope_heads h where h.tenant_id = tenant and h.scope_id = scope for no key update;
end $$;

-- A statement for one scope alone keeps no other scope waiting, so it stays in the queue for the head: whoever left it every 200 ms would
-- never have its turn in a scope that many write to.
create function queue_for_head(tenant uuid, scope text) returns void
  language plpgsql
  set lock_timeout = '2s'
  as $$
begin
  perform from scope_heads h where h.tenant_id = tenant and h.scope_id = scope for no key update;
end $$;

-- Locks the heads of these scopes until the commit, and returns those that somebody else holds. Where it may wait, it does so for one head;
-- the others are not waited for once that was in vain.
create function lock_heads(tenant uuid, scopes text[], may_wait boolean, alone boolean default false) returns text[]
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  locked text[];
  busy   text[] := '{}';
  missed text;
begin
  if alone and cardinality(scopes) = 1 then
    begin
      perform queue_for_head(tenant, scopes[1]);
      return busy;
    exception when lock_not_available then
      return scopes;
    end;
  end if;
  locked := array(select h.scope_id from scope_heads h where h.tenant_id = tenant and h.scope_id = any(scopes)
                   order by h.scope_id for no key update skip locked);
  if cardinality(locked) = cardinality(scopes) then return busy; end if;
  for missed in select s from unnest(scopes) s where s <> all(locked) order by s collate "C" loop
    if may_wait then
      begin
        perform wait_for_head(tenant, missed);
      exception when lock_not_available then
        may_wait := false;
        busy := busy || missed;
      end;
    else
      perform from scope_heads h where h.tenant_id = tenant and h.scope_id = missed for no key update skip locked;
      if not found and exists (select from scope_heads h where h.tenant_id = tenant and h.scope_id = missed) then
        busy := busy || missed;
      end if;
    end if;
  end loop;
  return busy;
end $$;

create function scopes_of(items json) returns text[] language sql immutable
  return array(select distinct value ->> 'scope' from json_array_elements(items));

-- Items of these scopes, or all others.
create function items_of(items json, scopes text[], wanted boolean) returns setof json language sql immutable as $$
  select value from json_array_elements(items) where (value ->> 'scope' = any(scopes)) = wanted
$$;
create function items_left(items json, busy text[]) returns json language sql immutable
  return case when cardinality(busy) = 0 then items
              else (select coalesce(json_agg(i), '[]') from items_of(items, busy, false) i) end;

create or replace function accept_documents(groups json, content bytea) returns setof accept_answer
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
      return query select (i ->> 'item')::integer, 'busy', i ->> 'document', null::integer, null::bigint
                     from items_of(items, busy, true) i;
    end if;
    return query select * from accept_documents_of(tenant, items_left(items, busy), content);
  end loop;
end $$;

create or replace function claim_attempts(groups json, max_attempts integer) returns setof claim_answer
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
    for answer in select * from claim_attempts_of(tenant, items_left(items, busy), max_attempts, runs) loop
      if answer.outcome = 'exhausted' then exhausted := exhausted || answer.item; end if;
      return next answer;
    end loop;
    if cardinality(exhausted) > 0 then
      perform note_convergence(tenant, s.scope_id)
         from (select distinct i.scope_id from attempt_items(items) i where i.item = any(exhausted)) s;
    end if;
  end loop;
end $$;

create or replace function settle_attempts(groups json, content bytea) returns setof settle_answer
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
    return query select * from settle_attempts_of(tenant, items_left(items, busy), content, made);
  end loop;
end $$;

create or replace function settle_readings(groups json, content bytea) returns setof settle_answer
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
      answers := array(select a from settle_attempts_of(tenant, items, content, made) a);
      return query select * from unnest(answers);
      -- What is stale has no effect, not even this one.
      perform note_convergence(tenant, s.scope_id)
         from (select distinct i.scope_id from attempt_items(items) i
                 join unnest(answers) a on a.item = i.item where a.outcome = 'settled') s;
    end if;
  end loop;
end $$;

create or replace function defer_attempts(groups json) returns setof settle_answer
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
    return query select * from defer_attempts_of(tenant, items_left(items, busy));
  end loop;
end $$;

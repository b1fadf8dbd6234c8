-- Locks the heads of these scopes until the commit, and returns those that another transaction holds. If it may wait,
-- it waits for one head; after a timeout it does not wait for the others.
create or replace function lock_heads(tenant uuid, scopes text[], may_wait boolean, alone boolean default false) returns text[]
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

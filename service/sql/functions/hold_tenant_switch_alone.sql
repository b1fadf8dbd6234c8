-- Takes the exclusive lock on the switches of the tenant until the end of the transaction, to move one. It waits until
-- no transaction holds the shared lock.
create or replace function hold_tenant_switch_alone(tenant uuid) returns void language sql volatile as $$
  select pg_advisory_xact_lock(2, hashtext(tenant::text))
$$;

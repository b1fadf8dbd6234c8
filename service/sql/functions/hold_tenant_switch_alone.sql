-- Waits until nobody keeps the switches of the tenant, and keeps everybody else out until the end of the transaction: whoever
-- moves one.
create or replace function hold_tenant_switch_alone(tenant uuid) returns void language sql volatile as $$
  select pg_advisory_xact_lock(2, hashtext(tenant::text))
$$;

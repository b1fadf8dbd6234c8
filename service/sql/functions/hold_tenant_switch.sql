-- Keeps the switches of a tenant from moving until the end of the transaction. The lock is shared.
create or replace function hold_tenant_switch(tenant uuid) returns void language sql volatile as $$
  select pg_advisory_xact_lock_shared(2, hashtext(tenant::text))
$$;

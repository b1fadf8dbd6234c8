-- Keeps the switch of the service from moving until the end of the transaction. The lock is shared.
create or replace function hold_service_switch() returns void language sql volatile as $$
  select pg_advisory_xact_lock_shared(1, 0)
$$;

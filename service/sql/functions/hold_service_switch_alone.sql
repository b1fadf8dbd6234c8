-- Waits until nobody keeps the switch of the service, and keeps everybody else out until the end of the transaction: whoever
-- moves it.
create or replace function hold_service_switch_alone() returns void language sql volatile as $$
  select pg_advisory_xact_lock(1, 0)
$$;

-- Takes the exclusive lock on the switch of the service until the end of the transaction, to move it. It waits until no
-- transaction holds the shared lock.
create or replace function hold_service_switch_alone() returns void language sql volatile as $$
  select pg_advisory_xact_lock(1, 0)
$$;

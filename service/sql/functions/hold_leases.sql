-- Locks the unexpired leases of a dispatcher until the end of the transaction, so that no other dispatcher can take
-- them over. It is a function of its own, like release_rows: if a row turns out to have changed while it is being
-- locked, Postgres 18 sets up the whole statement a second time, and both executions share the state that decides which
-- partitions are read. The first to end frees it, and the server crashes. So a statement that locks never chooses
-- partitions.
create or replace function hold_leases(dispatcher text) returns setof smallint language plpgsql as $$
begin
  return query select shard from dispatch_leases
                where holder = dispatcher and expires_at > now() -- @point dispatch.lease
                order by shard for share;
end $$;

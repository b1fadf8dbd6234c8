-- The leases of a dispatcher that have not run out, kept from everybody who would take them over until the end of the
-- transaction. It is a function of its own, as release_rows is: where a row turns out to have changed while it is being locked,
-- Postgres 18 sets the whole statement up a second time, and both share what decides which partitions are read from row to row.
-- The first to end frees it, and the server crashes. So what locks never chooses partitions.
create or replace function hold_leases(dispatcher text) returns setof smallint language plpgsql as $$
begin
  return query select shard from dispatch_leases
                where holder = dispatcher and expires_at > now() -- @point dispatch.lease
                order by shard for share;
end $$;

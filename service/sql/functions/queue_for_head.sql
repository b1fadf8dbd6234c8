-- A statement for a single scope keeps no other scope waiting, so it stays in the queue for the lock on the head: a
-- statement that left the queue every 200 ms would never get the lock in a scope with many writers.
create or replace function queue_for_head(tenant uuid, scope text) returns void
  language plpgsql
  set lock_timeout = '2s'
  as $$
begin
  perform from scope_heads h where h.tenant_id = tenant and h.scope_id = scope for no key update;
end $$;

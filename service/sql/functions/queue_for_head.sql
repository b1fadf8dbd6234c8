-- A statement for one scope alone keeps no other scope waiting, so it stays in the queue for the head: whoever left it every
-- 200 ms would never have its turn in a scope that many write to.
create or replace function queue_for_head(tenant uuid, scope text) returns void
  language plpgsql
  set lock_timeout = '2s'
  as $$
begin
  perform from scope_heads h where h.tenant_id = tenant and h.scope_id = scope for no key update;
end $$;

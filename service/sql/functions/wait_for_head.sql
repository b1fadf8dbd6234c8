-- Waits for a head as long as a usual transaction holds it on a slow disk.
create or replace function wait_for_head(tenant uuid, scope text) returns void
  language plpgsql
  set lock_timeout = '200ms' -- @point scope.lock-timeout
  as $$
begin
  perform from scope_heads h where h.tenant_id = tenant and h.scope_id = scope for no key update;
end $$;

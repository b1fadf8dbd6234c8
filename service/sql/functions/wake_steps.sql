-- Makes some of the steps that are held for this reason due: of one scope, or of all scopes of the tenant where none is given.
create or replace function wake_steps(tenant uuid, scope text, reason text, most integer) returns void
  language sql set plan_cache_mode = force_generic_plan begin atomic
  update comparison_steps s set due_at = now()
    from (select w.tableoid as part, w.ctid as place from comparison_steps w
           where w.tenant_id = tenant and (scope is null or w.scope_id = scope) and w.held_reason = reason and w.due_at > now()
           order by w.due_at limit most for update skip locked) w
   where s.tenant_id = tenant and s.tableoid = w.part and s.ctid = w.place;
end;

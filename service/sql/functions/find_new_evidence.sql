-- Returns the position of the first log entry after the given one that changes the evidence. An unknown kind of entry
-- counts as a change.
create or replace function find_new_evidence(tenant uuid, scope text, certified bigint) returns bigint
  language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
begin
  return (select l.seq from scope_log l
           where l.tenant_id = tenant and l.scope_id = scope and l.seq > certified -- @point certificate.new-evidence
             and l.kind not in ('runtime.changed', 'convergence.changed', 'scope.declared', 'scope.reopened')
             and not (l.kind = 'decision.made' and l.data ->> 'point' = 'settle_scope')
           order by l.seq limit 1);
end $$;

-- Tells how much of all comparisons of the scope was cut.
create or replace function tell_cut(tenant uuid, scope text, epoch integer) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  position bigint;
begin
  update scope_heads h set head = h.head + 1 where h.tenant_id = tenant and h.scope_id = scope returning h.head into position;
  insert into scope_log (tenant_id, scope_id, seq, epoch, kind, data)
  select tenant, scope, position, epoch, 'comparison.cut',
         jsonb_build_object('groups', c.cuts, 'claims', c.cut_claims, 'findings', c.cut_findings)
    from claim_counts c where c.tenant_id = tenant and c.scope_id = scope;
end $$;

-- Tells once that a certified scope has new evidence: the certificate is forgotten by it.
create or replace function tell_reopened(c scope_convergence) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  news     bigint := find_new_evidence(c.tenant_id, c.scope_id, c.certified_position);
  position bigint;
begin
  if news is null then return; end if;
  update scope_heads h set head = h.head + 1 where h.tenant_id = c.tenant_id and h.scope_id = c.scope_id
  returning h.head into position;
  insert into scope_log (tenant_id, scope_id, seq, epoch, kind, data)
  values (c.tenant_id, c.scope_id, position, c.epoch, 'scope.reopened',
          jsonb_build_object('certificate_id', c.certificate_id, 'number', c.certificate_number, 'log_position',
            c.certified_position, 'reopened_at', news));
  update scope_convergence s set certificate_id = null where s.tenant_id = c.tenant_id and s.scope_id = c.scope_id;
end $$;

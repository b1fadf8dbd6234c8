-- Adds a point to the series of the score if it moved, and an event. If a certificate is in force, the event also tells
-- of the first new evidence after it.
create or replace function record_convergence(tenant uuid, scope text) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c        scope_convergence;
  position bigint;
begin
  select * into c from scope_convergence c where c.tenant_id = tenant and c.scope_id = scope
     and (c.state <> c.noted_state or abs(c.score - c.noted_score) >= 10000 or c.certificate_id is not null);
  if not found then return; end if;
  if c.certificate_id is not null then perform tell_reopened(c); end if;
  if c.state = c.noted_state and abs(c.score - c.noted_score) < 10000 then return; end if;
  update scope_heads h set head = h.head + 1 where h.tenant_id = tenant and h.scope_id = scope returning h.head into position;
  insert into scope_log (tenant_id, scope_id, seq, epoch, kind, data)
  values (tenant, scope, position, c.epoch, 'convergence.changed',
          jsonb_build_object('score', trim_scale(c.score / 1000000.0), 'state', c.state, 'blockers', c.blockers));
  insert into convergence_series (tenant_id, scope_id, seq, score, coverage, agreement, resolution, stability, state, ended)
  values (tenant, scope, position, c.score, c.coverage, c.agreement, c.resolution, c.stability, c.state, c.ended);
  update scope_convergence s set points = s.points + 1, noted_score = c.score, noted_state = c.state
   where s.tenant_id = tenant and s.scope_id = scope;
  if c.points >= 10000 then
    delete from convergence_series s where s.tenant_id = tenant and s.scope_id = scope and s.seq =
      (select min(seq) from convergence_series where tenant_id = tenant and scope_id = scope);
  end if;
end $$;

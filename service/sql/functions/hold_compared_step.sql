-- Holds a step that was compared, but for facts whose document no policy permits: once one permits it, the step is compared with
-- all facts. It answers how many steps are held for that now, 0 if the step was held for it already, and null if it is gone: then
-- nothing is written. Its facts are done, which tells that it was asked about. Needs the lock on the head.
create or replace function hold_compared_step(tenant uuid, scope text, held bigint, of_epoch integer, met bigint[],
                                              after_ms double precision) returns integer
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  done bigint[];
begin
  select s.facts into done from comparison_steps s
   where s.tenant_id = tenant and s.scope_id = scope and s.step = held and s.epoch = of_epoch for update;
  if not found then return null; end if;
  update facts f set state = 'done' from find_facts(tenant, scope, done) k
   where f.tenant_id = tenant and f.tableoid = k.part and f.ctid = k.place and f.state = 'pending';
  if cardinality(met) > 0 then perform mark_compared(tenant, scope, met, '{}'); end if;
  return coalesce(hold_step(tenant, scope, held, of_epoch, 'not_permitted', after_ms), 0);
end $$;

-- Ends a step, unless it was ended already or its document was replaced: then nothing is written, and the answer is
-- false. Declined facts stay uncompared; the other facts, and those they were compared with, are marked as compared.
-- Needs the lock on the head.
create or replace function end_step(tenant uuid, scope text, ended bigint, of_epoch integer, declined bigint[], met bigint[]) returns boolean
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  done   bigint[];
  closed bigint;
begin
  delete from comparison_steps s where s.tenant_id = tenant and s.scope_id = scope and s.step = ended and s.epoch = of_epoch
  returning s.facts into done;
  if not found then return false; end if;
  update facts f set state = case when f.fact_key = any(declined) then 'refused' else 'done' end
    from find_facts(tenant, scope, done) k
   where f.tenant_id = tenant and f.tableoid = k.part and f.ctid = k.place;
  select count(*) into closed from find_facts(tenant, scope, done) k where k.state = 'refused';
  update fact_counts c set steps = c.steps - 1, refused = c.refused + closed where c.tenant_id = tenant and c.scope_id = scope;
  if cardinality(met) > 0 then perform mark_compared(tenant, scope, met, '{}'); end if;
  return true;
end $$;

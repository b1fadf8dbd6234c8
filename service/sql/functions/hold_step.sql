-- Holds a step, and answers how many steps are held for this reason now. It answers null if the step was held for it
-- already, or is gone. When a policy permits a held step again, it is compared with all facts, because later steps left
-- its facts out. Needs the lock on the head.
create or replace function hold_step(tenant uuid, scope text, held bigint, of_epoch integer, reason text, after_ms double precision) returns integer
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  before text;
begin
  select s.held_reason into before from comparison_steps s
   where s.tenant_id = tenant and s.scope_id = scope and s.step = held and s.epoch = of_epoch for update;
  if not found then return null; end if;
  update comparison_steps s
     set held_reason = reason, due_at = now() + after_ms * interval '1 ms',
         position = case when reason = 'not_permitted' then 9007199254740991 else s.position end
   where s.tenant_id = tenant and s.scope_id = scope and s.step = held;
  if before is not distinct from reason then return null; end if;
  return (select case reason when 'not_permitted' then c.not_permitted else c.over_budget end from fact_counts c
           where c.tenant_id = tenant and c.scope_id = scope);
end $$;

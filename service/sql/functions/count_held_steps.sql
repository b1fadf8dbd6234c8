-- Counts held steps whenever one is added or removed.
create or replace function count_held_steps() returns trigger
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  after text := case when tg_op = 'UPDATE' then new.held_reason end;
begin
  update fact_counts c
     set not_permitted = c.not_permitted + (after is not distinct from 'not_permitted')::integer
                                         - (old.held_reason is not distinct from 'not_permitted')::integer,
         over_budget = c.over_budget + (after is not distinct from 'over_budget')::integer
                                     - (old.held_reason is not distinct from 'over_budget')::integer
   where c.tenant_id = old.tenant_id and c.scope_id = old.scope_id;
  return null;
end $$;

create or replace trigger count_held after update of held_reason on comparison_steps
  for each row when (old.held_reason is distinct from new.held_reason) execute function count_held_steps();

create or replace trigger count_held_gone after delete on comparison_steps
  for each row when (old.held_reason is not null) execute function count_held_steps();

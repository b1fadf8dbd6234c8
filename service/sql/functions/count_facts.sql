-- Updates the convergence when the counts of comparison steps change: pending, held, and declined by the model.
create or replace function count_facts() returns trigger
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  update scope_convergence c
     set pending = new.steps - new.not_permitted - new.over_budget, refused = new.refused, not_permitted = new.not_permitted,
         over_budget = new.over_budget
   where c.tenant_id = new.tenant_id and c.scope_id = new.scope_id;
  return null;
end $$;

create or replace trigger weigh_new after insert on fact_counts for each row execute function count_facts();

create or replace trigger weigh_changed after update on fact_counts
  for each row when ((old.steps, old.refused, old.not_permitted, old.over_budget)
                     is distinct from (new.steps, new.refused, new.not_permitted, new.over_budget))
  execute function count_facts();

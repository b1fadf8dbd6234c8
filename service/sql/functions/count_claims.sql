-- Convergence follows the counts of claims, compared claims and cut groups.
create or replace function count_claims() returns trigger
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  update scope_convergence c set claims = new.claims, compared = new.compared, cuts = new.cuts
   where c.tenant_id = new.tenant_id and c.scope_id = new.scope_id;
  return null;
end $$;

create or replace trigger weigh_claims after insert or update on claim_counts for each row execute function count_claims();

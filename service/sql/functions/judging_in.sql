-- Says what a comparison of the scope needs: 1 where verdicts of the judge are to be looked up, 2 where what is open is to be
-- noted, 3 for both.
create or replace function judging_in(tenant uuid, scope text) returns integer
  language plpgsql stable set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return (case when exists (select from judge_verdicts v where v.tenant_id = tenant and v.scope_id = scope) then 1 else 0 end)
       + (case when exists (select from judge_permits p where p.tenant_id = tenant) then 2 else 0 end);
end $$;

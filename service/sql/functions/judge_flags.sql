-- Returns what a comparison of the scope needs: `judge_verdicts` if verdicts of the judge must be looked up,
-- `judge_permit` if open pairs must be recorded for the judge.
create or replace function judge_flags(tenant uuid, scope text) returns text[]
  language plpgsql stable set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return case when exists (select from judge_verdicts v where v.tenant_id = tenant and v.scope_id = scope)
              then array['judge_verdicts'] else '{}' end
      || case when exists (select from judge_permits p where p.tenant_id = tenant) then array['judge_permit'] else '{}' end;
end $$;

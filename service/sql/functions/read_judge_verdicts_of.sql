-- Reads earlier verdicts of the judge on these pairs of one scope.
create or replace function read_judge_verdicts_of(tenant uuid, scope text, pairs text[])
  returns table (pair text, verdict text, model text)
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select p.pair, v.verdict, v.model from unnest(pairs) p(pair)
   cross join lateral (select v.verdict, v.model from judge_verdicts v where v.tenant_id = tenant and v.scope_id = scope
                          and v.pair = decode(p.pair, 'hex') limit 1) v;
end $$;

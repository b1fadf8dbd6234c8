-- Replaces the counts of what is left out of groups, a list for each column; claims and findings are both 0 if nothing
-- is left out. The caller knows the previous counts, so it passes the changes of cut groups, claims and findings.
create or replace function replace_cuts(tenant uuid, scope text, changed json, out groups bigint, out claims bigint, out findings bigint)
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  cut record;
  gone bigint;
begin
  groups := 0;
  claims := 0;
  findings := 0;
  if changed is null then return; end if;
  select * into cut from json_to_record(changed) as c(keys bigint[], claims integer[], findings integer[], totals integer[],
    more_groups bigint, more_claims bigint, more_findings bigint);
  insert into comparison_cuts as c (tenant_id, scope_id, group_key, claims, findings, total)
  select tenant, scope, n.key, n.claims, n.findings, n.total
    from unnest(cut.keys, cut.claims, cut.findings, cut.totals) n(key, claims, findings, total)
   where n.claims + n.findings > 0
  on conflict (tenant_id, scope_id, group_key) do update
    set claims = excluded.claims, findings = excluded.findings, total = excluded.total;
  for gone in
    select n.key from unnest(cut.keys, cut.claims, cut.findings) n(key, claims, findings) where n.claims + n.findings = 0
  loop
    delete from comparison_cuts c where c.tenant_id = tenant and c.scope_id = scope and c.group_key = gone;
  end loop;
  groups := cut.more_groups;
  claims := cut.more_claims;
  findings := cut.more_findings;
end $$;

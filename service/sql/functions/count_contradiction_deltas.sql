-- Counts contradictions in the convergence of their scopes. A scope without a row is being emptied, and counts nothing.
create or replace function count_contradiction_deltas(moves weighed[]) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  place record;
  more  record;
begin
  for place in
    select tenant_id, scope_id,
           coalesce(sum(n) filter (where open and severity = 'low'), 0) as open_low,
           coalesce(sum(n) filter (where open and severity = 'medium'), 0) as open_medium,
           coalesce(sum(n) filter (where open and severity = 'high'), 0) as open_high,
           coalesce(sum(n) filter (where open and severity = 'critical'), 0) as open_critical,
           coalesce(sum(n) filter (where not open and severity = 'low'), 0) as closed_low,
           coalesce(sum(n) filter (where not open and severity = 'medium'), 0) as closed_medium,
           coalesce(sum(n) filter (where not open and severity = 'high'), 0) as closed_high,
           coalesce(sum(n) filter (where not open and severity = 'critical'), 0) as closed_critical
      from unnest(moves) m group by tenant_id, scope_id
  loop
    continue when not exists (select from scope_convergence c
                               where c.tenant_id = place.tenant_id and c.scope_id = place.scope_id);
    select * into more from update_contested(place.tenant_id, place.scope_id, moves);
    update scope_convergence c
       set open_low = c.open_low + place.open_low, open_medium = c.open_medium + place.open_medium,
           open_high = c.open_high + place.open_high, open_critical = c.open_critical + place.open_critical,
           closed_low = c.closed_low + place.closed_low, closed_medium = c.closed_medium + place.closed_medium,
           closed_high = c.closed_high + place.closed_high, closed_critical = c.closed_critical + place.closed_critical,
           contested_claims = c.contested_claims + more.more_claims,
           contested_documents = c.contested_documents + more.more_documents
     where c.tenant_id = place.tenant_id and c.scope_id = place.scope_id;
  end loop;
end $$;

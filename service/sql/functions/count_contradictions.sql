-- Counts changes of contradictions in the current period of each length. fold_moves deletes periods that are no longer
-- shown.
create or replace function count_contradictions(tenant uuid, scope text, opened integer, resolved integer, dismissed integer,
                                     reopened integer) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
begin
  insert into contradiction_periods as p (tenant_id, scope_id, seconds, begins_at, opened, resolved, dismissed, reopened)
  select tenant, scope, w.seconds, date_bin(make_interval(secs => w.seconds), now(), 'epoch'), opened, resolved, dismissed,
         reopened
    from unnest(period_lengths()) w(seconds)
  on conflict (tenant_id, scope_id, seconds, begins_at) do update
     set opened = p.opened + excluded.opened, resolved = p.resolved + excluded.resolved,
         dismissed = p.dismissed + excluded.dismissed, reopened = p.reopened + excluded.reopened;
end $$;

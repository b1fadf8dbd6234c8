-- Adds the oldest moves of one scope to its counts and its periods, deletes them, and answers their number. It also
-- deletes periods shorter than an hour that are no longer shown. It waits briefly for the head, because a scope that is
-- erased meanwhile must not be counted.
create or replace function fold_moves(tenant uuid, scope text, max_moves integer, narrow_kept_seconds integer) returns integer
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  folded integer;
  narrow integer[] := array(select l from unnest(period_lengths()) l where l < 3600);
begin
  perform wait_for_head(tenant, scope);
  with moves as materialized (
    delete from scope_moves m
     using (select o.tableoid as part, o.ctid as place from scope_moves o where o.tenant_id = tenant and o.scope_id = scope
             order by o.at limit max_moves) oldest
     where m.tenant_id = tenant and m.tableoid = oldest.part and m.ctid = oldest.place
    returning m.*
  ), counted as (
    insert into scope_counts as c (tenant_id, scope_id, status, documents)
    select tenant, scope, status, sum(documents)
      from (select to_status as status, documents from moves
            union all select from_status, -documents from moves where from_status is not null) each
     group by status
    on conflict (tenant_id, scope_id, status) do update set documents = c.documents + excluded.documents
  ), minutes as materialized (
    select date_bin('1 minute', at, 'epoch') as minute, sum(accepted) as accepted,
           coalesce(sum(documents) filter (where to_status = 'processed'), 0) as processed,
           coalesce(sum(documents) filter (where to_status = 'failed'), 0) as failed
      from moves group by minute
  ), measured as (
    select minute, jsonb_object_agg(bucket, documents) filter (where waited) as waits,
           jsonb_object_agg(bucket, documents) filter (where not waited) as takes
      from (select date_bin('1 minute', at, 'epoch') as minute, to_status = 'processing' as waited, key as bucket,
                   sum(value::integer) as documents
              from moves cross join lateral jsonb_each_text(durations) group by 1, 2, 3) each
     group by minute
  ), kept as (
    insert into scope_periods as p (tenant_id, scope_id, seconds, begins_at, accepted, processed, failed, waits, takes)
    select tenant, scope, w.seconds, date_bin(make_interval(secs => w.seconds), minute, 'epoch') as begins_at,
           sum(accepted), sum(processed), sum(failed), sum_buckets(waits), sum_buckets(takes)
      from minutes left join measured using (minute)
      cross join unnest(period_lengths()) w(seconds)
     group by w.seconds, begins_at
    on conflict (tenant_id, scope_id, seconds, begins_at) do update
       set accepted = p.accepted + excluded.accepted, processed = p.processed + excluded.processed,
           failed = p.failed + excluded.failed, waits = add_buckets(p.waits, excluded.waits),
           takes = add_buckets(p.takes, excluded.takes)
  )
  select count(*) into folded from moves;

  delete from scope_periods p
   where p.tenant_id = tenant and p.scope_id = scope and p.seconds = any(narrow)
     and p.begins_at < now() - make_interval(secs => narrow_kept_seconds);
  delete from contradiction_periods p
   where p.tenant_id = tenant and p.scope_id = scope and p.seconds = any(narrow)
     and p.begins_at < now() - make_interval(secs => narrow_kept_seconds);
  return folded;
end $$;

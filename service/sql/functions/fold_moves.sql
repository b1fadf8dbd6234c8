-- Counts the moves of one scope into its counts and its periods, and deletes them.
create or replace function fold_moves(tenant uuid, scope text) returns void
  language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
begin
  with moves as materialized (
    delete from scope_moves m where m.tenant_id = tenant and m.scope_id = scope returning m.*
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
  )
  insert into scope_periods as p (tenant_id, scope_id, seconds, begins_at, accepted, processed, failed, waits, takes)
  select tenant, scope, w.seconds, date_bin(make_interval(secs => w.seconds), minute, 'epoch') as begins_at,
         sum(accepted), sum(processed), sum(failed), sum_buckets(waits), sum_buckets(takes)
    from minutes left join measured using (minute)
    cross join (values (60), (300), (900), (3600), (86400)) w(seconds)
   group by w.seconds, begins_at
  on conflict (tenant_id, scope_id, seconds, begins_at) do update
     set accepted = p.accepted + excluded.accepted, processed = p.processed + excluded.processed,
         failed = p.failed + excluded.failed, waits = add_buckets(p.waits, excluded.waits),
         takes = add_buckets(p.takes, excluded.takes);

  delete from scope_periods p
   where p.tenant_id = tenant and p.scope_id = scope and p.seconds in (60, 300, 900)
     and p.begins_at < now() - interval '8 days';
end $$;

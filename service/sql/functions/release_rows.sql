-- Marks the rows that the dispatcher has chosen and gives each its ticket. Rows that another transaction is changing
-- are left for the next time. The plan is fixed here: planned while the backlog was small, the update read all of it at
-- every dispatch. All rows of a tenant are in one partition, so the position is enough.
create or replace function release_rows(tenants uuid[], places tid[], priorities boolean[])
  returns table (nth bigint, tenant_id uuid, scope_id text, document_id text, version integer, ticket bigint,
                 priority boolean)
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  tenant uuid;
begin
  for tenant in select distinct t from unnest(tenants) t loop
    return query
    with free as materialized (
      select w.ctid as place, c.nth, c.priority
        from unnest(tenants, places, priorities) with ordinality c (tenant_id, place, priority, nth)
        join work w on w.ctid = c.place
       where c.tenant_id = tenant and w.tenant_id = tenant and w.state = 'queued'
         for update of w skip locked
    )
    update work w set state = 'ready', ticket = nextval('work_tickets'), touched_at = now()
      from free f where w.tenant_id = tenant and w.ctid = f.place
    returning f.nth, w.tenant_id, w.scope_id, w.document_id, w.version, w.ticket, f.priority;
  end loop;
end $$;

-- Documents are counted in one pass.
--
-- Figures and convergence each had triggers of their own, which put the rows of a statement together twice, once for each; and
-- most changes, from queued to processing, matter to figures alone. What was noted for the figures says all that is weighed.

drop trigger weigh_new on documents;
drop trigger weigh_changed on documents;
drop function weigh_new_documents();
drop function weigh_changed_documents();
drop function weigh_documents(uuid, text, integer, integer, integer, integer);

create or replace function note_new_documents() returns trigger language plpgsql as $$
declare
  place record;
begin
  for place in
    with noted as (
      insert into scope_moves (tenant_id, scope_id, to_status, documents, accepted)
      select tenant_id, scope_id, status, count(*), count(*) filter (where status = 'queued')
        from new_rows group by tenant_id, scope_id, status
      returning tenant_id, scope_id, to_status, documents
    )
    select tenant_id, scope_id, coalesce(sum(documents) filter (where to_status = 'processed'), 0)::integer as settled,
           coalesce(sum(documents) filter (where to_status in ('queued', 'processing')), 0)::integer as unfinished,
           coalesce(sum(documents) filter (where to_status = 'held'), 0)::integer as held,
           coalesce(sum(documents) filter (where to_status = 'failed'), 0)::integer as failed
      from noted group by tenant_id, scope_id
  loop
    update scope_convergence c
       set settled = c.settled + place.settled, unfinished = c.unfinished + place.unfinished, held = c.held + place.held,
           failed = c.failed + place.failed, ended = c.ended + greatest(0, -place.unfinished)
     where c.tenant_id = place.tenant_id and c.scope_id = place.scope_id;
  end loop;
  if random() < 1.0 / 8 then perform fold_some(array(select distinct scope_id from new_rows)); end if;
  return null;
end $$;

create or replace function note_changed_documents() returns trigger
  language plpgsql
  -- The plan is kept, and a statement may change one document or a hundred thousand; those who call may have forbidden what
  -- the latter need.
  set enable_hashjoin = on set enable_nestloop = off as $$
declare
  place record;
begin
  -- Whoever accepts inserts or changes, and is asked about both.
  if not exists (select from new_rows) then return null; end if;
  for place in
    with noted as (
      insert into scope_moves (tenant_id, scope_id, from_status, to_status, documents, accepted, durations)
      select tenant_id, scope_id, from_status, to_status, sum(documents), sum(accepted),
             jsonb_object_agg(bucket, documents) filter (where bucket is not null)
        from (select tenant_id, scope_id, o.status as from_status, n.status as to_status,
                     case when o.status = 'queued' and n.status = 'processing' and n.attempt = 1
                            or o.status = 'processing' and n.status in ('processed', 'failed')
                          then duration_bucket(n.updated_at - o.updated_at) end as bucket,
                     count(*) as documents, count(*) filter (where n.seq is distinct from o.seq) as accepted
                from new_rows n join old_rows o using (tenant_id, scope_id, document_id)
               where n.status <> o.status or n.seq is distinct from o.seq
               group by 1, 2, 3, 4, 5) each
       group by 1, 2, 3, 4
      returning tenant_id, scope_id, from_status, to_status, documents
    )
    select tenant_id, scope_id, coalesce(sum(n) filter (where status = 'processed'), 0)::integer as settled,
           coalesce(sum(n) filter (where status in ('queued', 'processing')), 0)::integer as unfinished,
           coalesce(sum(n) filter (where status = 'held'), 0)::integer as held,
           coalesce(sum(n) filter (where status = 'failed'), 0)::integer as failed
      from noted cross join lateral (values (to_status, documents)
                                          , (from_status, -documents) -- @point convergence.count-left
                                     ) each(status, n)
     group by tenant_id, scope_id
  loop
    continue when (place.settled, place.unfinished, place.held, place.failed) = (0, 0, 0, 0);
    update scope_convergence c
       set settled = c.settled + place.settled, unfinished = c.unfinished + place.unfinished, held = c.held + place.held,
           failed = c.failed + place.failed, ended = c.ended + greatest(0, -place.unfinished)
     where c.tenant_id = place.tenant_id and c.scope_id = place.scope_id;
  end loop;
  if random() < 1.0 / 8 then perform fold_some(array(select distinct scope_id from new_rows)); end if;
  return null;
end $$;

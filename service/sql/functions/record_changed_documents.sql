-- Records changed documents as moves of their scope, and counts them in its convergence, in one pass over the rows of
-- the statement.
create or replace function record_changed_documents() returns trigger
  language plpgsql
  -- The plan is kept, and a statement may change one document or a hundred thousand; those who call may have forbidden what
  -- the latter need.
  set enable_hashjoin = on set enable_nestloop = off as $$
declare
  place record;
begin
  -- A function that accepts documents inserts or changes them, and is asked about both.
  if not exists (select from new_rows) then return null; end if;
  for place in
    with moved as materialized (
      select tenant_id, scope_id, o.status as from_status, n.status as to_status,
             case when o.status = 'queued' and n.status = 'processing' and n.attempt = 1
                    or o.status = 'processing' and n.status in ('processed', 'failed')
                  then duration_bucket(n.updated_at - o.updated_at) end as bucket,
             count(*) as documents, count(*) filter (where n.seq is distinct from o.seq) as accepted,
             sum(n.characters) as characters, sum(o.characters) as old_characters,
             sum(n.characters_read) as characters_read, sum(o.characters_read) as old_characters_read,
             count(n.gap) as gaps, count(o.gap) as old_gaps
        from new_rows n join old_rows o using (tenant_id, scope_id, document_id)
       where n.status <> o.status or n.seq is distinct from o.seq
       group by 1, 2, 3, 4, 5
    ), noted as (
      insert into scope_moves (tenant_id, scope_id, from_status, to_status, documents, accepted, durations)
      select tenant_id, scope_id, from_status, to_status, sum(documents), sum(accepted),
             jsonb_object_agg(bucket, documents) filter (where bucket is not null)
        from moved group by 1, 2, 3, 4
    )
    select tenant_id, scope_id, coalesce(sum(n) filter (where status = 'processed'), 0)::integer as settled,
           coalesce(sum(n) filter (where status in ('queued', 'processing')), 0)::integer as unfinished,
           coalesce(sum(n) filter (where status = 'held'), 0)::integer as held,
           coalesce(sum(n) filter (where status = 'failed'), 0)::integer as failed,
           coalesce(sum(length) filter (where is_accepted(status)), 0) as characters,
           coalesce(sum(length_read) filter (where status = 'processed'), 0) as characters_read,
           coalesce(sum(gap) filter (where status = 'processed'), 0)::integer as gaps
      from moved cross join lateral (
             values (to_status, documents, characters, characters_read, gaps)
                  , (from_status, -documents, -old_characters, -old_characters_read, -old_gaps) -- @point convergence.count-left
           ) each(status, n, length, length_read, gap)
     group by tenant_id, scope_id
  loop
    continue when (place.settled, place.unfinished, place.held, place.failed, place.characters) = (0, 0, 0, 0, 0);
    update scope_convergence c
       set settled = c.settled + place.settled, unfinished = c.unfinished + place.unfinished, held = c.held + place.held,
           failed = c.failed + place.failed, characters = c.characters + place.characters,
           characters_read = c.characters_read + place.characters_read, gaps = c.gaps + place.gaps,
           ended = c.ended + greatest(0, -place.unfinished)
     where c.tenant_id = place.tenant_id and c.scope_id = place.scope_id;
  end loop;
  return null;
end $$;

create or replace trigger note_changed after update on documents
  referencing old table as old_rows new table as new_rows for each statement execute function record_changed_documents();

-- Records new documents as moves of their scope, and counts them in its convergence, in one pass over the rows of the
-- statement.
create or replace function record_new_documents() returns trigger language plpgsql as $$
declare
  place record;
begin
  for place in
    with moved as materialized (
      select tenant_id, scope_id, status, count(*) as documents, sum(characters) as characters,
             sum(characters_read) as characters_read, count(gap) as gaps
        from new_rows group by tenant_id, scope_id, status
    ), noted as (
      insert into scope_moves (tenant_id, scope_id, to_status, documents, accepted)
      select tenant_id, scope_id, status, documents, case when status = 'queued' then documents else 0 end from moved
    )
    select tenant_id, scope_id, coalesce(sum(documents) filter (where status = 'processed'), 0)::integer as settled,
           coalesce(sum(documents) filter (where status in ('queued', 'processing')), 0)::integer as unfinished,
           coalesce(sum(documents) filter (where status = 'held'), 0)::integer as held,
           coalesce(sum(documents) filter (where status = 'failed'), 0)::integer as failed,
           coalesce(sum(characters) filter (where is_accepted(status)), 0) as characters,
           coalesce(sum(characters_read) filter (where status = 'processed'), 0) as characters_read,
           coalesce(sum(gaps) filter (where status = 'processed'), 0)::integer as gaps
      from moved group by tenant_id, scope_id
  loop
    update scope_convergence c
       set settled = c.settled + place.settled, unfinished = c.unfinished + place.unfinished, held = c.held + place.held,
           failed = c.failed + place.failed, characters = c.characters + place.characters,
           characters_read = c.characters_read + place.characters_read, gaps = c.gaps + place.gaps,
           ended = c.ended + greatest(0, -place.unfinished)
     where c.tenant_id = place.tenant_id and c.scope_id = place.scope_id;
  end loop;
  return null;
end $$;

create or replace trigger note_new after insert on documents
  referencing new table as new_rows for each statement execute function record_new_documents();

-- Counts a contradiction whose status changes in the current periods.
create or replace function record_decided_contradiction() returns trigger language plpgsql as $$
begin
  perform count_contradictions(new.tenant_id, new.scope_id, 0, (new.status = 'resolved')::integer,
    (new.status = 'dismissed')::integer, (new.status = 'open')::integer);
  return null;
end $$;

create or replace trigger note_decided after update on contradictions
  for each row when (old.status is distinct from new.status) execute function record_decided_contradiction();

-- Counts new contradictions as opened.
create or replace function record_new_contradictions() returns trigger language plpgsql as $$
declare
  found_in record;
begin
  for found_in in
    select tenant_id, scope_id, count(*)::integer as opened from new_rows where status = 'open' group by tenant_id, scope_id
  loop
    perform count_contradictions(found_in.tenant_id, found_in.scope_id, found_in.opened, 0, 0, 0);
  end loop;
  return null;
end $$;

create or replace trigger note_new after insert on contradictions
  referencing new table as new_rows for each statement execute function record_new_contradictions();

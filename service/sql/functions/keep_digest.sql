-- Allows a digest to change only with its pepper, which a grant cannot express.
create or replace function keep_digest() returns trigger language plpgsql as $$
begin
  if new.digest is distinct from old.digest and new.pepper_id is not distinct from old.pepper_id then
    raise exception 'a digest changes with its pepper only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

create or replace trigger kept before update of digest on keys for each row execute function keep_digest();

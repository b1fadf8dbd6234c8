-- Allows a data key to change only when another master key wraps it, and keeps the key of the hashes. A grant cannot
-- express this.
create or replace function keep_scope_key() returns trigger language plpgsql as $$
begin
  if new.master_key_id = old.master_key_id or new.sealed_print_key is null
     or new.sealed_print_key <> old.sealed_print_key then
    raise exception 'a data key is wrapped anew by another master key only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

create or replace trigger kept before update on scope_keys for each row execute function keep_scope_key();

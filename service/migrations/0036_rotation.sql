-- Secrets can be replaced while the service runs.
--
-- A key's row says which pepper made its digest, so that an operator can see when the older one is needed no more. A key that is used
-- while two are configured gets a digest under the present one.
alter table keys add column pepper_id text check (pepper_id ~ '^[0-9a-f]{8}$');
grant update (digest, pepper_id) on keys to concord_registrar;

-- Claims are filed under keyed hashes, and the key of these is derived from the master key that wraps the data key of the scope. So that
-- another master key can wrap it without filing the claims anew, the key of the hashes is kept beside it then, sealed with the data key.
-- Null: it is derived from the master key that `master_key_id` names.
alter table scope_keys add column sealed_print_key bytea;
grant update (master_key_id, wrapped_key, sealed_print_key) on scope_keys to concord_api;

-- A grant cannot say that a secret is replaced only where the one behind it changes; these do.
create function keep_digest() returns trigger language plpgsql as $$
begin
  if new.digest is distinct from old.digest and new.pepper_id is not distinct from old.pepper_id then
    raise exception 'a digest changes with its pepper only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger kept before update of digest on keys for each row execute function keep_digest();

create function keep_scope_key() returns trigger language plpgsql as $$
begin
  if new.master_key_id = old.master_key_id or new.sealed_print_key is null
     or new.sealed_print_key <> old.sealed_print_key then
    raise exception 'a data key is wrapped anew by another master key only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger kept before update on scope_keys for each row execute function keep_scope_key();

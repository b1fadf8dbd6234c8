-- Refuses to move the head of the audit log backwards.
create or replace function keep_audit_head() returns trigger language plpgsql as $$
begin
  if new.seq > old.seq then
    return new;
  end if;
  raise exception 'the head of the audit log only moves on' using errcode = 'insufficient_privilege';
end $$;

create or replace trigger kept before update on audit_head for each row execute function keep_audit_head();

-- Refuses changes of an audit entry, except that its position is set once. Grants do not bind the owner of the table,
-- but this trigger does.
create or replace function keep_audit_entry() returns trigger language plpgsql as $$
begin
  if old.seq is null
     and (new.entry_id, new.at, new.action, new.tier, new.actor, new.tenant_id, new.scope_id, new.subject,
          new.details::text, new.mac_key, new.mac)
         is not distinct from
         (old.entry_id, old.at, old.action, old.tier, old.actor, old.tenant_id, old.scope_id, old.subject,
          old.details::text, old.mac_key, old.mac) then
    return new;
  end if;
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;

create or replace trigger kept before update on audit_log for each row execute function keep_audit_entry();

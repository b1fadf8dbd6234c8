-- The audit log is append-only, for its owner as well.
create or replace function refuse_audit_removal() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;

create or replace trigger not_removed before delete or truncate on audit_log for each statement execute function refuse_audit_removal();

create or replace trigger not_removed before delete or truncate on audit_head for each statement execute function refuse_audit_removal();

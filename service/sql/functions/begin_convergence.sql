-- Starts the convergence of a scope, and of each new epoch, with zeros. While a scope is erased, its rows are deleted
-- in pieces and only the numbers start again.
create or replace function begin_convergence() returns trigger language plpgsql as $$
begin
  if not new.erasing then
    delete from contested where tenant_id = new.tenant_id and scope_id = new.scope_id;
    delete from convergence_series where tenant_id = new.tenant_id and scope_id = new.scope_id;
  end if;
  delete from scope_convergence where tenant_id = new.tenant_id and scope_id = new.scope_id;
  insert into scope_convergence (tenant_id, scope_id, epoch) values (new.tenant_id, new.scope_id, new.epoch);
  return null;
end $$;

create or replace trigger begin_convergence after insert or update of epoch on scope_heads
  for each row execute function begin_convergence();

-- The rules every later table follows, as two procedures, so that no table is protected by hand. All other functions, and the
-- triggers, are in service/sql/functions.

-- The tenant of this transaction; null when none was set. After a commit Postgres leaves '' behind, not null.
create function app_tenant() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.tenant', true), '')::uuid;

-- A table whose rows belong to tenants: row-level security is on and forced, so it holds for the owner too,
-- and the api and worker roles see and write only the rows of the tenant of their transaction.
-- The subselect makes Postgres evaluate the tenant once a statement instead of once a row.
create procedure protect_tenant_table(target regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant_rows on %s to concord_api, concord_worker
       using (tenant_id = (select app_tenant())) with check (tenant_id = (select app_tenant()))', target);
end $$;

-- A table that grows with the number of tenants: sixteen partitions by hash of the tenant, from the first day,
-- so that splitting a cell later moves partitions instead of rewriting tables. Nobody is granted anything on a
-- partition: a policy of the parent does not hold for someone who names the partition itself.
create procedure partition_by_tenant(target regclass)
  language plpgsql as $$
begin
  for part in 0..15 loop
    execute format('create table %I partition of %s for values with (modulus 16, remainder %s)',
      target || '_p' || lpad(part::text, 2, '0'), target, part);
  end loop;
end $$;

revoke execute on procedure protect_tenant_table(regclass) from public;
revoke execute on procedure partition_by_tenant(regclass) from public;

grant usage on schema public to concord_api, concord_worker, concord_registrar;

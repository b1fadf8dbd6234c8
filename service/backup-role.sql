-- The role that "concord backup" reads with: optional, and used by no running process.
--
-- Run it once as a superuser after roles.sql; it changes nothing that is already right:
--
--     psql -h <host> -U postgres -d postgres -v ON_ERROR_STOP=1 -f backup-role.sql
--     \password concord_backup
--
-- It reads every row of every tenant, and may change none. What is sealed it cannot open: the keys are not in the database.
do $$
begin
  if not exists (select from pg_roles where rolname = 'concord_backup') then
    create role concord_backup;
  end if;
end
$$;

alter role concord_backup login inherit bypassrls nosuperuser nocreatedb nocreaterole noreplication;
grant pg_read_all_data to concord_backup;
grant connect on database concord to concord_backup;

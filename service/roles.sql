-- The roles and the database Concord needs, for Postgres 15 and newer.
--
-- Run it once as a superuser, and again after an upgrade of Concord; it changes nothing that is already right:
--
--     psql -h <host> -U postgres -d postgres -v ON_ERROR_STOP=1 -f roles.sql
--
-- No password stands here. Give each of the three roles that log in one of its own afterwards, in psql:
--
--     \password concord_owner
--     \password concord_api
--     \password concord_worker

-- Who is who:
--   concord_owner      owns the database and its tables; used for migrations only, never by a running service.
--   concord_api        the processes that answer HTTP.
--   concord_worker     the processes that read documents.
--   concord_registrar  nobody logs in as this one. It may read what must be known before a tenant is known
--                      (whose key is this?). concord_api steps into it for that one question (SET ROLE) and
--                      has none of its rights otherwise.
--   concord_kernel     nobody logs in as this one either. It sees the backlog and the logs of all tenants, ids and
--                      kinds but no content: for the dispatcher, who must be fair between tenants, and for the
--                      operator's stream. concord_worker and concord_api step into it.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['concord_owner', 'concord_api', 'concord_worker', 'concord_registrar',
                               'concord_kernel'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      execute format('create role %I', wanted);
    end if;
  end loop;
end
$$;

-- Row-level security separates the tenants. A superuser or a role with BYPASSRLS would not be bound by it, so
-- every attribute is stated, also for roles that were there before.
alter role concord_owner     login   inherit   nosuperuser nobypassrls nocreatedb nocreaterole noreplication;
alter role concord_api       login   noinherit nosuperuser nobypassrls nocreatedb nocreaterole noreplication;
alter role concord_worker    login   noinherit nosuperuser nobypassrls nocreatedb nocreaterole noreplication;
alter role concord_registrar nologin inherit   nosuperuser nobypassrls nocreatedb nocreaterole noreplication;
alter role concord_kernel    nologin inherit   nosuperuser nobypassrls nocreatedb nocreaterole noreplication;

-- After NOINHERIT above: since version 16 a grant remembers whether the member inherited when it was made.
grant concord_registrar to concord_api;
grant concord_kernel to concord_api, concord_worker;

-- A database cannot be created inside a block, so the statement is written by a query and run by \gexec.
select 'create database concord owner concord_owner encoding ''UTF8'' template template0'
where not exists (select from pg_database where datname = 'concord')
\gexec

alter database concord owner to concord_owner;

-- Without this everybody with an account on the server could connect and make temporary tables.
revoke all on database concord from public;
grant connect on database concord to concord_owner, concord_api, concord_worker;

-- The roles and the database Concord needs, for Postgres 15 and newer.
--
-- Run it once as a superuser, or as a role with CREATEROLE and CREATEDB such as the administrator of a managed Postgres,
-- and again after an upgrade of Concord; it changes nothing that is already right:
--
--     psql -h <host> -U postgres -d postgres -v ON_ERROR_STOP=1 -f roles.sql
--
-- No password stands here. Give each of the three roles that log in one of its own afterwards, in psql:
--
--     \password concord_owner
--     \password concord_api
--     \password concord_worker

-- The roles:
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

-- Row-level security separates the tenants. A superuser or a role with BYPASSRLS would not be bound by it, so every
-- attribute is checked, also of roles that were there before. Only what differs is altered: the administrator of a managed
-- Postgres is no superuser and may not even repeat an attribute that only a superuser may change.
do $$
declare
  role record;
begin
  for role in
    select rolname, rolname not in ('concord_registrar', 'concord_kernel') as logs_in,
           rolname not in ('concord_api', 'concord_worker') as inherits,
           rolcanlogin, rolinherit, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolreplication
      from pg_roles
     where rolname in ('concord_owner', 'concord_api', 'concord_worker', 'concord_registrar', 'concord_kernel')
  loop
    if role.rolcanlogin <> role.logs_in then
      execute format('alter role %I %s', role.rolname, case when role.logs_in then 'login' else 'nologin' end);
    end if;
    if role.rolinherit <> role.inherits then
      execute format('alter role %I %s', role.rolname, case when role.inherits then 'inherit' else 'noinherit' end);
    end if;
    if role.rolcreatedb or role.rolcreaterole then
      execute format('alter role %I nocreatedb nocreaterole', role.rolname);
    end if;
    if role.rolsuper or role.rolbypassrls or role.rolreplication then
      execute format('alter role %I nosuperuser nobypassrls noreplication', role.rolname);
    end if;
  end loop;
end
$$;

-- After NOINHERIT above: since version 16 a grant remembers whether the member inherited when it was made.
grant concord_registrar to concord_api;
grant concord_kernel to concord_api, concord_worker;

-- Only a member of a role may make it the owner of a database; a superuser need not be one.
select 'grant concord_owner to current_user'
where not (select rolsuper from pg_roles where rolname = current_user)
\gexec

-- A database cannot be created inside a block, so the statement is written by a query and run by \gexec.
select 'create database concord owner concord_owner encoding ''UTF8'' template template0'
where not exists (select from pg_database where datname = 'concord')
\gexec

select 'alter database concord owner to concord_owner'
where exists (select from pg_database where datname = 'concord' and pg_get_userbyid(datdba) <> 'concord_owner')
\gexec

-- Without this everybody with an account on the server could connect and make temporary tables.
revoke all on database concord from public;
grant connect on database concord to concord_owner, concord_api, concord_worker;

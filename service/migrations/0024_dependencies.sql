-- The dependencies of the service, and since when each is away: so that the operator's stream tells of an outage once, whoever saw it.
create table dependency_states (
  dependency  text primary key check (dependency in ('database', 'broker', 'model')),
  -- Null while it is there.
  lost_at     timestamptz,
  restored_at timestamptz
);

insert into dependency_states (dependency) values ('database'), ('broker'), ('model');

grant select, update on dependency_states to concord_kernel;

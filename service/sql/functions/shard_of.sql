-- The shard of a tenant: each of the four dispatch leases releases the work of one.
create or replace function shard_of(tenant uuid) returns smallint
  language sql immutable parallel safe
  return (get_byte(uuid_send(tenant), 15) % 4)::smallint;

-- Returns a share in whole millionths, rounded down: exact, the same everywhere, and one only if nothing is missing.
create or replace function share_of(part bigint, whole bigint) returns integer
  language sql immutable parallel safe
  return case when whole <= 0 then 1000000 else (greatest(0, least(part, whole)) * 1000000 / whole)::integer end;

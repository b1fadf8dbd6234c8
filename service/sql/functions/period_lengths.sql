-- The lengths of the periods of metrics, in seconds; the same as in service/src/domain/scope-metrics.ts.
create or replace function period_lengths() returns integer[] language sql immutable parallel safe
  return array[60, 300, 900, 3600, 86400];

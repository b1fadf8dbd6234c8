-- Says whether a document counts: what only waits to be triggered was not accepted.
create or replace function is_accepted(status text) returns boolean language sql immutable parallel safe
  return status in ('queued', 'processing', 'processed', 'held', 'failed');

-- Returns the scopes of these items.
create or replace function scopes_of(items json) returns text[] language sql immutable
  return array(select distinct value ->> 'scope' from json_array_elements(items));

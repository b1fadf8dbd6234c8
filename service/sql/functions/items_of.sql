-- Returns the items of these scopes if `wanted`, and all other items otherwise.
create or replace function items_of(items json, scopes text[], wanted boolean) returns setof json language sql immutable as $$
  select value from json_array_elements(items) where (value ->> 'scope' = any(scopes)) = wanted
$$;

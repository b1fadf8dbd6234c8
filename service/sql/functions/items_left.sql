-- Returns the items that are not of these scopes.
create or replace function items_left(items json, busy text[]) returns json language sql immutable
  return case when cardinality(busy) = 0 then items
              else (select coalesce(json_agg(i), '[]') from items_of(items, busy, false) i) end;

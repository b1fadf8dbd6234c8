-- Accepts many documents in one statement. groups: [{tenant, items: [...]}], with tenants in ascending order, so that
-- two batches may wait for each other but never deadlock. content: the sealed bytes of all items, concatenated; each
-- item has the offsets of its pieces. Items of a scope whose head another transaction holds are answered `busy` and not
-- written. The idempotency keys are kept for the given number of seconds.
create or replace function accept_documents(groups json, content bytea, keys_kept_seconds integer)
  returns setof accept_answer
  language plpgsql as $$
declare
  tenant uuid;
  items  json;
  busy   text[];
  waits  boolean := true;
begin
  for tenant, items in select g.tenant, g.items from json_to_recordset(groups) g(tenant uuid, items json) loop
    perform set_config('app.tenant', tenant::text, true);
    busy := lock_heads(tenant, scopes_of(items), waits, json_array_length(groups) = 1);
    if cardinality(busy) > 0 then
      waits := false;
      return query select (i ->> 'item')::integer, 'busy', i ->> 'document', null::integer, null::bigint
                     from items_of(items, busy, true) i;
    end if;
    return query select * from accept_documents_of(tenant, items_left(items, busy), content, keys_kept_seconds);
  end loop;
end $$;

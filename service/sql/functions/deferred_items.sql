-- Returns one row for each item. It is declared to return one row, like accept_items, so that each row of a table is
-- looked up by its key.
create or replace function deferred_items(items json)
  returns table (item integer, scope_id text, document_id text, ticket bigint, attempt integer, after_ms bigint, reason text,
                 grows boolean)
  language sql volatile rows 1 as $$
  select i.item, i.scope, i.document, i.ticket, i.attempt, i.after_ms, i.reason, i.grows
    from json_to_recordset(items) as i(item integer, scope text, document text, ticket bigint, attempt integer,
           after_ms bigint, reason text, grows boolean)
$$;

-- Returns one row for each item. It is declared to return one row, and is not inlined because it is volatile: with the
-- default estimate of a hundred rows, Postgres would read a table that it believes to be empty instead of looking up
-- each item by its key.
-- Its rows have got columns, which takes another function of the same name.
drop function if exists accept_items(json);
create or replace function accept_items(items json)
  returns table (item integer, scope_id text, epoch integer, document_id text, type text, characters integer,
                 fingerprint bytea, key_hash bytea, request bytea, card_at integer, card_length integer,
                 layout_at integer, layout_length integer, text_at integer, text_length integer)
  language sql volatile rows 1 as $$
  select i.item, i.scope, i.epoch, i.document, i.type, i.characters, decode(i.fingerprint, 'base64'),
         decode(i.key, 'base64'), decode(i.request, 'base64'), i.card_at, i.card_length,
         i.layout_at, i.layout_length, i.text_at, i.text_length
    from json_to_recordset(items) as i(item integer, scope text, epoch integer, document text, type text,
           characters integer, fingerprint text, key text, request text,
           card_at integer, card_length integer, layout_at integer, layout_length integer,
           text_at integer, text_length integer)
$$;

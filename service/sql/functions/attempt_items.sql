-- Returns one row for each item. It is declared to return one row, like accept_items, so that each row of a table is
-- looked up by its key.
create or replace function attempt_items(items json)
  returns table (item integer, scope_id text, document_id text, ticket bigint, attempt integer, verdict text,
                 reason text, passages integer, sentences integer, sealed_at integer, sealed_length integer, held_by uuid,
                 decided uuid[], report jsonb, gap text)
  language sql volatile rows 1 as $$
  select i.item, i.scope, i.document, i.ticket, i.attempt, i.verdict, i.reason, i.passages, i.sentences, i.sealed_at,
         i.sealed_length, i.held_by, i.decided, i.report, i.gap
    from json_to_recordset(items) as i(item integer, scope text, document text, ticket bigint, attempt integer,
           verdict text, reason text, passages integer, sentences integer, sealed_at integer, sealed_length integer,
           held_by uuid, decided uuid[], report jsonb, gap text)
$$;

-- Replaces the labels of the documents of these items by those that came with them; items without labels keep theirs. A
-- document that has exactly these labels is left as it is. The caller holds the heads of the scopes. If two items of a
-- batch are about the same document, the later one counts.
create or replace function replace_labels(tenant uuid, items json, content bytea, written integer[])
  returns void
  language plpgsql as $$
declare
  it record;
begin
  for it in
    select i.scope, i.document, array(select decode(l, 'base64') from json_array_elements_text(i.labels) l) as labels,
           substring(content from i.labels_at + 1 for i.labels_length) as sealed
      from json_to_recordset(items) i(item integer, scope text, document text, labels json, labels_at integer,
                                      labels_length integer)
     where i.labels is not null and i.item = any(written)
     order by i.item
  loop
    continue when array(select label from unnest(it.labels) label order by label)
      = array(select l.label from document_labels l
               where l.tenant_id = tenant and l.scope_id = it.scope and l.document_id = it.document order by l.label);
    delete from document_labels l
     where l.tenant_id = tenant and l.scope_id = it.scope and l.document_id = it.document;
    insert into document_labels (tenant_id, scope_id, document_id, label)
    select tenant, it.scope, it.document, label from unnest(it.labels) label;
    -- How long a document waits and is read for is measured from its last change of status, so while it does both the time stays.
    update documents d
       set sealed_labels = it.sealed,
           updated_at = case when d.status in ('queued', 'processing') then d.updated_at else now() end
     where d.tenant_id = tenant and d.scope_id = it.scope and d.document_id = it.document;
  end loop;
end $$;

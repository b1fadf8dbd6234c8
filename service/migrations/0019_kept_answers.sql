-- An idempotency key of any creation: what was answered is kept sealed, or is made again from the document that it names.
alter table idempotency_keys
  alter column document_id drop not null,
  alter column seq drop not null,
  add column sealed_answer bytea,
  add constraint names_an_answer check ((sealed_answer is null) = (document_id is not null and seq is not null));

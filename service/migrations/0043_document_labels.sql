-- Tags and metadata of documents: what a tenant sorts its documents by.
--
-- They may hold names of people and companies, so they are sealed like the card of the document. Lists find them by keyed hashes of
-- whole values: each tag and each pair of key and value is one label. They are of the document and not of a version, so new text leaves
-- them as they are.

alter table documents add column sealed_labels bytea;

create table document_labels (
  tenant_id   uuid not null,
  scope_id    text collate "C" not null,
  label       bytea not null,
  document_id text collate "C" not null,
  primary key (tenant_id, scope_id, label, document_id)
) partition by hash (tenant_id);

call partition_by_tenant('document_labels'::regclass);
call protect_tenant_table('document_labels'::regclass);

create index document_labels_of_document on document_labels (tenant_id, scope_id, document_id);

grant select, insert, delete on document_labels to concord_api;

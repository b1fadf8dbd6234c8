-- Lists are filtered and ordered along indexes.
--
-- A filter for a rare status, severity, relation or kind of contradiction read every row of the scope; now it is checked in the index. The
-- most severe contradictions and the documents that changed last had no order of their own, so that whoever wanted them read the whole list.

drop index contradictions_by_age;
create index contradictions_by_age on contradictions (tenant_id, scope_id, opened_seq, status, severity, kind, relation)
 where opened_seq > 0;

-- Each status and severity is a range of its own, in the order of confidence; a reported one is as sure as can be.
create index contradictions_by_severity
    on contradictions (severity, status, tenant_id, scope_id, coalesce(confidence, 1), opened_seq, kind, relation)
 where opened_seq > 0;

-- The condition is always true. Only a list by time states it, so that no other statement can take this index for the primary key.
create index documents_by_update on documents (tenant_id, scope_id, updated_at, document_id, status)
 where updated_at > '-infinity';

create index claims_by_kind on claims (kind, tenant_id, scope_id, document_id, no);

-- Writes the outcome for the compared contradictions: withdrawn, changed, opened, reopened or settled. Each one that is
-- opened, reopened or settled names its event, so that the position of the event is known.
create or replace function replace_contradictions(tenant uuid, scope text, epoch integer, withdrawn uuid[], changed json, opened json,
                                       reopened json, ruled json, events json, content bytea) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  told integer := json_array_length(events);
  head bigint;
begin
  if told > 0 then
    update scope_heads h set head = h.head + told where h.tenant_id = tenant and h.scope_id = scope
    returning h.head - told into head;
    insert into scope_log (tenant_id, scope_id, epoch, seq, kind, document_id, version, data, kernel_seq)
    select tenant, scope, epoch, head + nth, kind, document, version, data, (select nextval('kernel_seqs'))
      from rows from (json_to_recordset(events) as (kind text, document text, version integer, data jsonb))
        with ordinality as e(kind, document, version, data, nth);
  end if;
  if cardinality(withdrawn) > 0 then
    delete from contradictions c using find_contradictions(tenant, scope, withdrawn) f
     where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place;
  end if;
  if json_array_length(changed) > 0 then
    update contradictions c
       set kind = n.kind, severity = n.severity, confidence = n.confidence, document_a = n.a, document_b = n.b,
           claim_a = n.claim_a, claim_b = n.claim_b, value_a = n.value_a, value_b = n.value_b,
           documents_a = coalesce(n.documents_a, '{}'), documents_b = coalesce(n.documents_b, '{}'),
           print = n.print, sealed = substring(content from n.at + 1 for n.length), updated_at = now()
      from find_contradictions(tenant, scope,
             array(select i.id from json_to_recordset(changed) as i(id uuid))) f
      join json_to_recordset(changed) as n(id uuid, kind text, severity text, confidence float, a text, b text,
             claim_a integer, claim_b integer, value_a bigint, value_b bigint, documents_a text[], documents_b text[],
             print bigint, at integer, length integer) on n.id = f.id
     where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place;
  end if;
  if json_array_length(opened) > 0 then
    insert into contradictions (tenant_id, scope_id, contradiction_id, epoch, group_key, relation, kind, severity,
                                confidence, status, document_a, document_b, claim_a, claim_b, value_a, value_b, documents_a,
                                documents_b, print, opened_seq, sealed)
    select tenant, scope, n.id, epoch, n.group_key, n.relation, n.kind, n.severity, n.confidence,
           coalesce(n.status, 'open'), n.a, n.b, n.claim_a, n.claim_b, n.value_a, n.value_b, coalesce(n.documents_a, '{}'),
           coalesce(n.documents_b, '{}'), n.print, head + n.event, substring(content from n.at + 1 for n.length)
      from json_to_recordset(opened) as n(id uuid, group_key bigint, relation text, kind text, severity text,
             confidence float, status text, a text, b text, claim_a integer, claim_b integer, value_a bigint, value_b bigint,
             documents_a text[], documents_b text[], print bigint, event integer, at integer, length integer);
  end if;
  if json_array_length(reopened) > 0 then
    insert into decisions (tenant_id, scope_id, decision_id, epoch, point, result, decided_by, contradiction_id,
                           document_ids, seq)
    select tenant, scope, n.decision, epoch, 'settle_contradiction', 'reopened', 'evidence', n.id, n.documents,
           head + n.event
      from json_to_recordset(reopened) as n(id uuid, decision uuid, documents text[], event integer);
    update contradictions c set status = 'open', updated_at = now()
      from find_contradictions(tenant, scope,
             array(select i.id from json_to_recordset(reopened) as i(id uuid))) f
     where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place and c.status <> 'open';
  end if;
  if json_array_length(ruled) > 0 then
    insert into decisions (tenant_id, scope_id, decision_id, epoch, point, result, decided_by, contradiction_id,
                           document_ids, holds, upheld, policy_hash, policies, seq)
    select tenant, scope, n.decision, epoch, 'settle_contradiction', n.result, 'policy', n.id, n.documents, n.holds,
           n.upheld, decode(n.hash, 'hex'), n.policies, head + n.event
      from json_to_recordset(ruled) as n(id uuid, decision uuid, result text, documents text[], holds text, upheld bigint,
             hash text, policies text[], event integer);
    update contradictions c set status = n.status, updated_at = now()
      from find_contradictions(tenant, scope, array(select i.id from json_to_recordset(ruled) as i(id uuid))) f
      join json_to_recordset(ruled) as n(id uuid, status text) on n.id = f.id
     where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place and c.status <> n.status;
  end if;
end $$;

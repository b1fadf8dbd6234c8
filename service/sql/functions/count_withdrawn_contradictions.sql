-- The metrics of a scope that is being erased are those of its new epoch, so rows that are deleted are not in them.
create or replace function count_withdrawn_contradictions() returns trigger language plpgsql as $$
begin
  perform count_contradiction_deltas(array_agg(row(tenant_id, scope_id, status = 'open', severity, document_a, claim_a,
                                             document_b, claim_b, -1)::weighed))
    from old_rows o
   where relation <> 'change'
     and not exists (select from scope_heads h where h.tenant_id = o.tenant_id and h.scope_id = o.scope_id and h.erasing)
  having count(*) > 0;
  return null;
end $$;

create or replace trigger weigh_withdrawn after delete on contradictions
  referencing old table as old_rows for each statement execute function count_withdrawn_contradictions();

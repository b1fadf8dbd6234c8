-- Updates the convergence when a contradiction changes: it subtracts the old state and adds the new one.
create or replace function count_changed_contradictions() returns trigger language plpgsql as $$
begin
  perform count_contradiction_deltas(array_agg(row(tenant_id, scope_id, status = 'open', severity, document_a, claim_a,
                                             document_b, claim_b, n)::weighed))
    from (select tenant_id, scope_id, relation, status, severity, document_a, claim_a, document_b, claim_b, 1 as n
            from new_rows
          union all
          select tenant_id, scope_id, relation, status, severity, document_a, claim_a, document_b, claim_b, -1
            from old_rows) each
   where relation <> 'change' having count(*) > 0;
  return null;
end $$;

create or replace trigger weigh_changed after update on contradictions
  referencing old table as old_rows new table as new_rows for each statement execute function count_changed_contradictions();

-- Counts new contradictions in the convergence. A change over time is not a contradiction.
create or replace function count_opened_contradictions() returns trigger language plpgsql as $$
begin
  perform count_contradiction_deltas(array_agg(row(tenant_id, scope_id, status = 'open', severity, document_a, claim_a,
                                             document_b, claim_b, 1)::weighed))
    from new_rows where relation <> 'change' having count(*) > 0;
  return null;
end $$;

create or replace trigger weigh_opened after insert on contradictions
  referencing new table as new_rows for each statement execute function count_opened_contradictions();

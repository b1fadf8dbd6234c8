-- Counts how many claims and documents come under contradictions by this, less those that come free.
create or replace function update_contested(tenant uuid, scope text, moves weighed[], out more_claims integer, out more_documents integer)
  language plpgsql set plan_cache_mode = force_generic_plan
  -- The plan is kept, and a statement may open one or ten thousand; those who call may have forbidden what the latter need.
  set enable_seqscan = off set enable_hashjoin = on set enable_nestloop = off as $$
#variable_conflict use_column
declare
  free record;
begin
  more_claims := 0;
  more_documents := 0;
  for free in
    with sides as materialized (
      select s.document_id, s.kind, s.no, sum(m.n)::integer as n
        from unnest(moves) m
       cross join lateral (values (m.document_a, 'document', 0, m.claim_a), (m.document_a, 'claim', m.claim_a, m.claim_a),
                                  (m.document_b, 'document', 0, m.claim_b), (m.document_b, 'claim', m.claim_b, m.claim_b))
                  s(document_id, kind, no, claim)
       where m.tenant_id = tenant and m.scope_id = scope and m.open and s.claim is not null
       group by s.document_id, s.kind, s.no having sum(m.n) <> 0
    ), moved as (
      insert into contested as c (tenant_id, scope_id, document_id, kind, no, times)
      select tenant, scope, document_id, kind, no, n from sides
      on conflict (tenant_id, scope_id, document_id, kind, no) do update set times = c.times + excluded.times
      returning c.document_id, c.kind, c.no, c.times
    )
    select document_id, kind, no, times from moved join sides using (document_id, kind, no) where times = n or times = 0
  loop
    if free.kind = 'document' then
      more_documents := more_documents + case when free.times = 0 then -1 else 1 end;
    else
      more_claims := more_claims + case when free.times = 0 then -1 else 1 end;
    end if;
    if free.times = 0 then
      delete from contested c
       where c.tenant_id = tenant and c.scope_id = scope and c.document_id = free.document_id and c.kind = free.kind
         and c.no = free.no;
    end if;
  end loop;
end $$;

-- Marks facts as compared, and every claim that states one of them. The claims of documents that are being filed are left
-- out: those that are stored are about to be replaced, and the new ones bring their mark and are counted with it.
create or replace function mark_compared(tenant uuid, scope text, wanted bigint[], filing text[]) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  document record;
  more     bigint := 0;
begin
  update facts f set compared = true from find_facts(tenant, scope, wanted) k
   where f.tenant_id = tenant and f.tableoid = k.part and f.ctid = k.place and not f.compared;
  for document in
    with flagged as (
      update claims c set compared = true from find_uncompared_witnesses(tenant, scope, wanted, filing) k
       where c.tenant_id = tenant and c.tableoid = k.part and c.ctid = k.place
      returning c.document_id, c.version
    )
    select document_id, version, count(*) as claims from flagged group by document_id, version
  loop
    perform count_compared(tenant, scope, document.document_id, document.version, document.claims);
    more := more + document.claims;
  end loop;
  if more > 0 then
    update claim_counts c set compared = c.compared + more where c.tenant_id = tenant and c.scope_id = scope;
  end if;
end $$;

-- Replaces the claims of documents, their filings, and the counts of both. It marks which claims are compared now, and
-- which no longer are.
create or replace function replace_claims(tenant uuid, scope text, epoch integer, replaced text[], fresh json, filed json,
                               joined bigint[], left_alone bigint[], cuts json, content bytea) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  more          bigint := 0;
  less          bigint := 0;
  more_compared bigint := 0;
  less_compared bigint := 0;
  document      record;
  cut           record;
begin
  if cardinality(replaced) > 0 then
    delete from claim_keys k using find_filings(tenant, scope, replaced) f
     where k.tenant_id = tenant and k.tableoid = f.part and k.ctid = f.place;
    with gone as (
      delete from claims c using find_claims(tenant, scope, replaced) f
       where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place
      returning c.compared
    )
    select count(*), count(*) filter (where compared) into less, less_compared from gone;
  end if;
  if cardinality(joined) > 0 then
    for document in
      with flagged as (
        update claims c set compared = true from find_uncompared(tenant, scope, joined) f
         where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place
        returning c.document_id, c.version
      )
      select document_id, version, count(*) as claims from flagged group by document_id, version
    loop
      perform count_compared(tenant, scope, document.document_id, document.version, document.claims);
      more_compared := more_compared + document.claims;
    end loop;
  end if;
  if json_array_length(fresh) > 0 then
    for document in
      with inserted as (
        insert into claims (tenant_id, scope_id, document_id, no, version, epoch, kind, claim_rank, keys, value_ranks, compared_by,
                            compared, sealed)
        select tenant, scope, document, no, version, epoch, kind, rank, keys, ranks, compared_by, compared,
               substring(content from at + 1 for length)
          from json_to_recordset(fresh) as f(document text, no integer, version integer, kind text, rank bigint,
            keys bigint[], ranks bigint[], compared_by text, compared boolean, at integer, length integer)
        returning document_id, version, compared
      )
      select document_id, version, count(*) as claims, count(*) filter (where compared) as compared
        from inserted group by document_id, version
    loop
      more := more + document.claims;
      continue when document.compared = 0;
      perform count_compared(tenant, scope, document.document_id, document.version, document.compared);
      more_compared := more_compared + document.compared;
    end loop;
    insert into claim_keys (tenant_id, scope_id, key, value_rank, claim_rank, document_id, no, version)
    select tenant, scope, k.key, k.value_rank, k.claim_rank, k.document_id, k.no, k.version
      from json_to_record(filed) as f(documents text[], nos integer[], versions integer[], keys bigint[],
             value_ranks bigint[], claim_ranks bigint[])
     cross join lateral unnest(f.documents, f.nos, f.versions, f.keys, f.value_ranks, f.claim_ranks)
             k(document_id, no, version, key, value_rank, claim_rank);
  end if;
  if cardinality(left_alone) > 0 then
    for document in
      with flagged as (
        update claims c set compared = false from find_no_longer_compared(tenant, scope, left_alone) f
         where c.tenant_id = tenant and c.tableoid = f.part and c.ctid = f.place
        returning c.document_id, c.version
      )
      select document_id, version, count(*) as claims from flagged group by document_id, version
    loop
      perform count_compared(tenant, scope, document.document_id, document.version, -document.claims);
      less_compared := less_compared + document.claims;
    end loop;
  end if;
  select * into cut from replace_cuts(tenant, scope, cuts);
  if more = less and more_compared = less_compared and (cut.groups, cut.claims, cut.findings) = (0, 0, 0) then return; end if;
  update claim_counts c set claims = c.claims + more - less, compared = c.compared + more_compared - less_compared,
         cuts = c.cuts + cut.groups, cut_claims = c.cut_claims + cut.claims, cut_findings = c.cut_findings + cut.findings
   where c.tenant_id = tenant and c.scope_id = scope;
  if not found then
    insert into claim_counts (tenant_id, scope_id, claims, compared, cuts, cut_claims, cut_findings)
    values (tenant, scope, more - less, more_compared - less_compared, cut.groups, cut.claims, cut.findings);
  end if;
end $$;

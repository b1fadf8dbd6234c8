-- Returns the claim that shows a fact: the claim of the lowest document id, whichever came first.
create or replace function select_shown_witness(tenant uuid, scope text, key bigint)
  returns table (document_id text, no integer, version integer, sealed bytea)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select w.document_id, w.no, w.version, c.sealed
    from (select w.document_id, w.no, w.version from fact_witnesses w
           where w.tenant_id = tenant and w.scope_id = scope and w.fact_key = key
           order by w.document_id, w.no limit 1) w
    left join lateral (select c.sealed, c.version from claims c where c.tenant_id = tenant and c.scope_id = scope
                          and c.document_id = w.document_id and c.no = w.no limit 1) c on c.version = w.version;
end $$;

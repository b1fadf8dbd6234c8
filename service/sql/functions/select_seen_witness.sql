-- Returns the claim that shows a side of a contradiction: a claim of the document that somebody looked at, while it states the
-- fact, and otherwise the claim that shows the fact everywhere else. No document is given where nobody has dismissed it.
create or replace function select_seen_witness(tenant uuid, scope text, key bigint, seen text)
  returns table (document_id text, no integer, version integer, sealed bytea)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  if seen is not null then
    return query
    select w.document_id, w.no, w.version, c.sealed
      from (select w.document_id, w.no, w.version from fact_witnesses w
             where w.tenant_id = tenant and w.scope_id = scope and w.fact_key = key and w.document_id = seen
             order by w.no limit 1) w
      left join lateral (select c.sealed, c.version from claims c where c.tenant_id = tenant and c.scope_id = scope
                            and c.document_id = w.document_id and c.no = w.no limit 1) c on c.version = w.version;
    if found then return; end if;
  end if;
  return query select w.document_id, w.no, w.version, w.sealed from select_shown_witness(tenant, scope, key) w;
end $$;

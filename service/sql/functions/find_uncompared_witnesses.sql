-- Finds the uncompared claims that state these facts, but for those of documents that are being filed.
create or replace function find_uncompared_witnesses(tenant uuid, scope text, wanted bigint[], filing text[])
  returns table (part oid, place tid)
  language plpgsql rows 1 set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select c.part, c.place from unnest(wanted) k(key)
   cross join lateral (select w.document_id, w.no, w.version from fact_witnesses w
                        where w.tenant_id = tenant and w.scope_id = scope and w.fact_key = k.key
                          and w.document_id <> all(filing) offset 0) w
   cross join lateral (select c.tableoid as part, c.ctid as place, c.version, c.compared from claims c
                        where c.tenant_id = tenant and c.scope_id = scope and c.document_id = w.document_id and c.no = w.no
                        limit 1) c
   where c.version = w.version and not c.compared;
end $$;

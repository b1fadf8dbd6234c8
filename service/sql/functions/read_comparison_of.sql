-- Reads the content of these claims of one scope, and the earlier findings in these groups.
create or replace function read_comparison_of(tenant uuid, scope text, at integer, documents text[], nos integer[],
                                              groups bigint[])
  returns setof compared_content
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
  select at, c.document_id, c.no, c.version, c.sealed, null::bigint, null::uuid, null::bigint, null, null, null,
         null, null, null, 'claim'::content_row
    from unnest(documents, nos) w(document_id, no)
   cross join lateral (select * from claims c where c.tenant_id = tenant and c.scope_id = scope
                          and c.document_id = w.document_id and c.no = w.no limit 1) c;
  return query
  select at, null, null::integer, null::integer, null::bytea, c.group_key, c.contradiction_id, c.print,
         c.relation, c.kind, c.severity, c.document_a, c.document_b, c.status, 'finding'::content_row
    from unnest(groups) g(key)
   cross join lateral (select * from contradictions c where c.tenant_id = tenant and c.scope_id = scope
                          and c.group_key = g.key offset 0) c;
end $$;

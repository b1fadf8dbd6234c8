-- Files the facts of one scope, whose head the caller has locked. It removes the old witnesses of the documents, adds
-- the new ones, creates a step for new facts, and answers as file_facts does.
create or replace function file_facts_of(tenant uuid, scope text, at integer, epoch integer, documents text[], keys bigint[],
                              authors integer[], tokens integer[], words text[], witness_keys bigint[],
                              witness_documents text[], witness_nos integer[], witness_versions integer[],
                              facts_of_step integer)
  returns setof filed_fact
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  -- Facts that lose a witness, that come, and that are to be compared by a step of another witness.
  lost         bigint[];
  fresh        bigint[] := '{}';
  orphaned     bigint[];
  ended        bigint;
  made         bigint;
  base         bigint;
  step         bigint;
  fresh_tokens bigint := 0;
  gone         record;
begin
  select c.position, c.last_step into base, step from fact_counts c where c.tenant_id = tenant and c.scope_id = scope;
  base := coalesce(base, 0);
  step := coalesce(step, 0);

  -- The steps go first, and then the witnesses: what the documents stated before counts no longer.
  with ends as (
    delete from comparison_steps s using find_steps(tenant, scope, documents) k
     where s.tenant_id = tenant and s.tableoid = k.part and s.ctid = k.place
    returning s.facts
  )
  select count(*), coalesce((select array_agg(k.key) from ends e cross join lateral unnest(e.facts) k(key)), '{}')
    into ended, orphaned from ends;
  with less as (
    delete from fact_witnesses w using find_witnesses(tenant, scope, documents) k
     where w.tenant_id = tenant and w.tableoid = k.part and w.ctid = k.place
    returning w.fact_key
  )
  select coalesce(array_agg(fact_key), '{}') into lost from less;
  if cardinality(lost) > 0 then
    update facts f set witnesses = f.witnesses - l.n
      from (select key, count(*)::integer as n from unnest(lost) k(key) group by key) l
     cross join lateral find_facts(tenant, scope, array[l.key]) k
     where f.tenant_id = tenant and f.tableoid = k.part and f.ctid = k.place;
  end if;

  if cardinality(keys) > 0 then
    with inserted as (
      insert into facts (tenant_id, scope_id, fact_key, position, witnesses, tokens, state, compared, words)
      select tenant, scope, n.key, base + n.author, 0, n.tokens, 'pending', false, n.words::bigint[]
        from unnest(keys, authors, tokens, words) n(key, author, tokens, words)
      on conflict (tenant_id, scope_id, fact_key) do nothing
      returning fact_key, position, tokens, words
    ), posted as (
      insert into fact_postings (tenant_id, scope_id, word, position, fact_key)
      select tenant, scope, w.word, i.position, i.fact_key from inserted i cross join lateral unnest(i.words) w(word)
    ), counted as (
      insert into fact_words as n (tenant_id, scope_id, word, facts)
      select tenant, scope, w.word, count(*) from inserted i cross join lateral unnest(i.words) w(word) group by w.word
      on conflict (tenant_id, scope_id, word) do update set facts = n.facts + excluded.facts
    )
    select coalesce(array_agg(fact_key), '{}'), coalesce(sum(tokens), 0) into fresh, fresh_tokens from inserted;
    insert into fact_witnesses (tenant_id, scope_id, fact_key, document_id, no, version)
    select tenant, scope, w.key, w.document_id, w.no, w.version
      from unnest(witness_keys, witness_documents, witness_nos, witness_versions) w(key, document_id, no, version);
    update facts f set witnesses = f.witnesses + m.n
      from (select key, count(*)::integer as n from unnest(witness_keys) k(key) group by key) m
     cross join lateral find_facts(tenant, scope, array[m.key]) k
     where f.tenant_id = tenant and f.tableoid = k.part and f.ctid = k.place;
    -- Facts that two documents state alike are compared: they agree.
    perform mark_compared(tenant, scope, array(
      select k.fact_key from find_facts(tenant, scope, keys) k
       where not k.compared and k.witnesses > 1
         and exists (select from fact_witnesses a where a.tenant_id = tenant and a.scope_id = scope and a.fact_key = k.fact_key
                        and a.document_id <> (select min(b.document_id) from fact_witnesses b where b.tenant_id = tenant
                                                 and b.scope_id = scope and b.fact_key = k.fact_key))),
      documents);
    return query
    select at, k.fact_key, null::uuid, null::bigint, null::bigint, null, null, null, null, null, null, null::bigint,
           null::bigint, null::bytea, null, null::integer, null::integer, null::bytea, null, null::integer, null::integer,
           null::bytea, 'compared_fact'::filing_row
      from find_facts(tenant, scope, keys) k where k.compared;
  end if;

  select * into gone from delete_unwitnessed(tenant, scope, lost);

  -- Facts whose step went and that another claim still states are compared by a step of that claim's document.
  insert into comparison_steps (tenant_id, scope_id, step, epoch, document_id, version, position, facts)
  select tenant, scope, step + row_number() over (order by s.position, s.document_id, s.nth), epoch, s.document_id, s.version,
         s.position, s.facts
    from (select n.document_id, n.version, n.position, n.nth, array_agg(n.key order by n.place) as facts
            from (select w.document_id, w.version, k.filed_at as position, t.key, t.place,
                         (row_number() over (partition by w.document_id, w.version, k.filed_at order by t.place) - 1) / facts_of_step as nth
                    from unnest(fresh || orphaned) with ordinality t(key, place)
                   cross join lateral find_facts(tenant, scope, array[t.key]) k
                   cross join lateral (select w.document_id, w.version from fact_witnesses w
                                        where w.tenant_id = tenant and w.scope_id = scope and w.fact_key = t.key
                                        order by w.document_id, w.no limit 1) w
                   where k.state = 'pending') n
           group by n.document_id, n.version, n.position, n.nth) s;
  get diagnostics made = row_count;

  update fact_counts c
     set position = case when cardinality(keys) > 0 then base + cardinality(documents) else base end, last_step = step + made,
         facts = c.facts + cardinality(fresh) - gone.facts, tokens = c.tokens + fresh_tokens - gone.tokens,
         steps = c.steps + made - ended, refused = c.refused - gone.refused
   where c.tenant_id = tenant and c.scope_id = scope;
  if not found and cardinality(keys) > 0 then
    insert into fact_counts (tenant_id, scope_id, position, last_step, facts, tokens, steps, refused)
    values (tenant, scope, base + cardinality(documents), made, cardinality(fresh), fresh_tokens, made, 0);
  end if;

  return query
  select at, null::bigint, c.contradiction_id, c.group_key, c.print, c.relation, c.kind, c.severity, c.status, c.document_a,
         c.document_b, c.value_a, c.value_b, c.sealed,
         -- The claims of the documents themselves are replaced later, and a version that is read again keeps its number.
         a.document_id, a.no, a.version, case when a.document_id = any(documents) then null else a.sealed end,
         b.document_id, b.no, b.version, case when b.document_id = any(documents) then null else b.sealed end,
         'affected_contradiction'::filing_row
    from (select c.* from unnest(documents) u(document_id)
           cross join lateral (select * from contradictions c where c.document_a = u.document_id and c.tenant_id = tenant
                                  and c.scope_id = scope offset 0) c
           where c.value_a = any(lost)
          union
          select c.* from unnest(documents) u(document_id)
           cross join lateral (select * from contradictions c where c.document_b = u.document_id and c.tenant_id = tenant
                                  and c.scope_id = scope offset 0) c
           where c.value_b = any(lost)
          union
          select c.* from unnest(witness_keys, witness_documents) w(key, document_id)
           cross join lateral (select * from contradictions c where c.value_a = w.key and c.tenant_id = tenant
                                  and c.scope_id = scope offset 0) c
           where c.document_a > w.document_id
          union
          select c.* from unnest(witness_keys, witness_documents) w(key, document_id)
           cross join lateral (select * from contradictions c where c.value_b = w.key and c.tenant_id = tenant
                                  and c.scope_id = scope offset 0) c
           where c.document_b > w.document_id) c
    left join lateral select_seen_witness(tenant, scope, c.value_a, case when c.status = 'dismissed' then c.document_a end) a on true
    left join lateral select_seen_witness(tenant, scope, c.value_b, case when c.status = 'dismissed' then c.document_b end) b on true;
end $$;

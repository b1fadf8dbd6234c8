-- Deletes facts that no claim states any more, with everything that refers to them.
create or replace function delete_unwitnessed(tenant uuid, scope text, wanted bigint[], out facts bigint, out tokens bigint, out refused bigint)
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  gone record;
begin
  facts := 0;
  tokens := 0;
  refused := 0;
  for gone in
    delete from facts f using find_facts(tenant, scope, wanted) k
     where f.tenant_id = tenant and f.tableoid = k.part and f.ctid = k.place and f.witnesses = 0
    returning f.fact_key, f.position, f.tokens, f.state, f.words
  loop
    facts := facts + 1;
    tokens := tokens + gone.tokens;
    refused := refused + (gone.state = 'refused')::integer;
    delete from fact_postings p using unnest(gone.words) w(word)
     where p.tenant_id = tenant and p.scope_id = scope and p.word = w.word and p.position = gone.position
       and p.fact_key = gone.fact_key;
    update fact_words n set facts = n.facts - 1 from unnest(gone.words) w(word)
     where n.tenant_id = tenant and n.scope_id = scope and n.word = w.word;
    delete from fact_words n using unnest(gone.words) w(word)
     where n.tenant_id = tenant and n.scope_id = scope and n.word = w.word and n.facts <= 0;
  end loop;
end $$;

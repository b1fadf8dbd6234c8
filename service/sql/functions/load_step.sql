-- Loads the facts of a step, each with a claim of its document that states it, and the facts of other documents to
-- compare them with: all facts of lower positions while the statements of the scope fit the budget, and otherwise the
-- best candidates for each, as many as fit. The limits are those of rank_candidates.
create or replace function load_step(tenant uuid, scope text, keys bigint[], below bigint, document text, budget bigint,
                                     words_of_fact integer, facts_of_word integer, weighed integer, best integer)
  returns setof step_fact
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  total  record;
  ranked bigint[];
  chosen bigint[];
begin
  select c.facts, c.tokens into total from fact_counts c where c.tenant_id = tenant and c.scope_id = scope;
  if not found then return; end if;
  return query
  select k.fact_key, true, k.compared, w.document_id, w.no, w.version, c.sealed
    from find_facts(tenant, scope, keys) k
   cross join lateral (
     select w.document_id, w.no, w.version from fact_witnesses w
      where w.tenant_id = tenant and w.scope_id = scope and w.fact_key = k.fact_key and w.document_id = document
      order by w.no limit 1) w
   cross join lateral (
     select c.sealed, c.version from claims c
      where c.tenant_id = tenant and c.scope_id = scope and c.document_id = w.document_id and c.no = w.no limit 1) c
   where c.version = w.version;
  if total.tokens <= budget then
    chosen := array(select f.fact_key from facts f where f.tenant_id = tenant and f.scope_id = scope and f.position < below);
  else
    -- The best of each first, as many as fit the budget.
    ranked := array(select r.fact_key from rank_candidates(tenant, scope, keys, below, total.facts, document, words_of_fact,
                                                           facts_of_word, weighed, best) r
                     order by r.best_place, r.fact_key);
    chosen := array(
      select s.fact_key
        from (select k.fact_key, sum(k.tokens) over (order by k.nth) as spent
                from find_facts(tenant, scope, ranked) with ordinality
                  k(part, place, fact_key, filed_at, witnesses, tokens, state, compared, words, nth)) s
       where s.spent <= budget);
  end if;
  return query
  select f.fact_key, false, f.compared, w.document_id, w.no, w.version, c.sealed
    from find_facts(tenant, scope, chosen) f
   cross join lateral (
     select w.document_id, w.no, w.version from fact_witnesses w
      where w.tenant_id = tenant and w.scope_id = scope and w.fact_key = f.fact_key and w.document_id <> document
      order by w.document_id, w.no limit 1) w
   cross join lateral (
     select c.sealed, c.version from claims c
      where c.tenant_id = tenant and c.scope_id = scope and c.document_id = w.document_id and c.no = w.no limit 1) c
   where c.version = w.version;
end $$;

-- The best earlier facts for each of these by the words they share, rare words first, and how good each is at its best. Of
-- each fact the rarest words are looked up, and of each word the newest facts that have it: the cost does not grow with
-- the scope. A list that is cut says nothing about older facts, so the first choice is by words whose lists are whole;
-- these are weighed by all the words they share. A fact that only the given document states is left out before anything is cut, so
-- that a document does not crowd out the others by what its versions before stated. `createCandidateIndex` in service/src/model/candidates.ts is the same rule for
-- measurements, and a test compares the two.
create or replace function rank_candidates(tenant uuid, scope text, keys bigint[], below bigint, total bigint, document text,
                                           words_of_fact integer, facts_of_word integer, weighed integer, best integer)
  returns table (fact_key bigint, best_place bigint)
  language plpgsql rows 400 set plan_cache_mode = force_generic_plan
  -- Lists are joined by hash; what is looked up for each row is a nested loop all the same.
  set enable_seqscan = off set enable_mergejoin = off set enable_hashjoin = on set enable_nestloop = off as $$
#variable_conflict use_column
begin
  return query
  with words as materialized (
    -- Whole weights: equal sums are equal in whatever order they are added up.
    select k.fact_key as new_key, w.word, (ln(1 + total::float / d.facts) * 1000000)::integer as weight, d.facts <= facts_of_word as is_whole,
           row_number() over (partition by k.fact_key order by d.facts, w.nth) as turn
      from find_facts(tenant, scope, keys) k
     cross join lateral unnest(k.words) with ordinality w(word, nth)
     cross join lateral (select d.facts from fact_words d
                          where d.tenant_id = tenant and d.scope_id = scope and d.word = w.word limit 1) d
     -- A word that no other fact has finds nothing.
     where d.facts > 1
  ), postings as materialized (
    select l.word, p.fact_key
      from (select distinct w.word from words w where w.turn <= words_of_fact) l
     cross join lateral (select p.fact_key from fact_postings p
                          where p.tenant_id = tenant and p.scope_id = scope and p.word = l.word and p.position < below
                            -- An offset keeps this a lookup for each row.
                            and exists (select from fact_witnesses w where w.tenant_id = tenant and w.scope_id = scope
                                           and w.fact_key = p.fact_key and w.document_id <> document offset 0)
                          order by p.position desc, p.fact_key desc limit facts_of_word) p
  ), near as materialized (
    select c.new_key, c.fact_key
      from (select s.new_key, s.fact_key,
                   row_number() over (partition by s.new_key order by s.whole desc, s.found desc, s.fact_key) as place
              from (select w.new_key, p.fact_key, sum(case when w.is_whole then w.weight else 0 end) as whole,
                           sum(w.weight) as found
                      from words w join postings p on p.word = w.word
                     where w.turn <= words_of_fact
                     group by w.new_key, p.fact_key) s) c
     where c.place <= weighed
  ), candidates as materialized (
    select k.fact_key, k.words from find_facts(tenant, scope, array(select distinct n.fact_key from near n)) k
  )
  select r.fact_key, min(r.place)
    from (select s.new_key, s.fact_key, row_number() over (partition by s.new_key order by s.score desc, s.fact_key) as place
            from (select n.new_key, n.fact_key, sum(w.weight) as score
                    from near n
                    join candidates c on c.fact_key = n.fact_key
                    join words w on w.new_key = n.new_key
                   where w.word = any(c.words)
                   group by n.new_key, n.fact_key) s) r
   where r.place <= best group by r.fact_key;
end $$;

-- The facts that a document states besides these, which are of a step of it, filed before them or together with them: those
-- that share words with one of them, the most shared first. A word that more than `facts_of_word` of them have tells nothing, and is left
-- out, so that the cost of a step does not grow with the square of the document. Of two facts that were filed together the
-- caller compares the one with the lower key as one of the others, so each pair is asked about in one step, in whatever order
-- steps are compared.
create or replace function load_own_facts(tenant uuid, scope text, keys bigint[], document text, most integer,
                                          facts_of_word integer)
  returns table (fact_key bigint, no integer, version integer, sealed bytea, is_earlier boolean)
  language plpgsql rows 200 set plan_cache_mode = force_generic_plan
  -- Words are joined by hash; what is looked up for each row is a nested loop all the same.
  set enable_seqscan = off set enable_mergejoin = off set enable_hashjoin = on set enable_nestloop = off as $$
#variable_conflict use_column
declare
  others bigint[];
begin
  others := array(select w.fact_key from find_witnesses(tenant, scope, array[document]) w
                  except select k.key from unnest(keys) k(key));
  -- Most documents have one step and nothing else.
  if cardinality(others) = 0 then return; end if;
  return query
  with step as materialized (
    select k.fact_key, k.filed_at, w.word from find_facts(tenant, scope, keys) k cross join lateral unnest(k.words) w(word)
  ), own as materialized (
    select k.fact_key, k.filed_at < (select max(s.filed_at) from step s) as is_earlier, w.word
      from find_facts(tenant, scope, others) k
     cross join lateral unnest(k.words) w(word)
     where k.filed_at <= (select max(s.filed_at) from step s)
  ), telling as materialized (
    select o.word from own o group by o.word having count(*) <= facts_of_word
  ), near as materialized (
    select m.fact_key, m.is_earlier
      from (select o.fact_key, o.is_earlier, count(*) as shared
              from telling t join own o on o.word = t.word join step s on s.word = t.word
             group by o.fact_key, o.is_earlier, s.fact_key) m
     group by m.fact_key, m.is_earlier
     order by max(m.shared) desc, m.fact_key limit most
  )
  select n.fact_key, w.no, w.version, c.sealed, n.is_earlier
    from near n
   cross join lateral (
     select w.no, w.version from fact_witnesses w
      where w.tenant_id = tenant and w.scope_id = scope and w.fact_key = n.fact_key and w.document_id = document
      order by w.no limit 1) w
   cross join lateral (
     select c.sealed, c.version from claims c
      where c.tenant_id = tenant and c.scope_id = scope and c.document_id = document and c.no = w.no limit 1) c
   where c.version = w.version;
end $$;

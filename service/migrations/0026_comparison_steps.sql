-- What a comparison step is compared with, and its end.

create type step_fact as (
  fact_key    bigint,
  -- A fact of the step itself, to be compared with the others.
  is_new      boolean,
  compared    boolean,
  document_id text,
  no          integer,
  version     integer,
  sealed      bytea
);

-- The facts of a step, each with a claim of its document that states it, and the facts of other documents that they are compared
-- with: all of lower positions while the statements of the scope fit the budget, else the best 20 for each, as many as fit.
create function load_step(tenant uuid, scope text, keys bigint[], below bigint, document text, budget bigint)
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
    ranked := array(select r.fact_key from rank_candidates(tenant, scope, keys, below, total.facts) r order by r.best, r.fact_key);
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

-- The best 20 earlier facts for each of these by the words they share, rare words first, and how good each is at its best. Of each fact the 12
-- rarest words are looked up, and of each word the 64 newest facts that have it: the cost does not grow with the scope. A list that is cut says
-- nothing about older facts, so the first choice of 40 is by words whose lists are whole; these are weighed by all the words they share.
-- `createCandidateIndex` in service/src/model/candidates.ts is the same rule for measurements, and a test compares the two.
create function rank_candidates(tenant uuid, scope text, keys bigint[], below bigint, total bigint)
  returns table (fact_key bigint, best bigint)
  language plpgsql rows 400 set plan_cache_mode = force_generic_plan
  -- Lists are joined by hash; what is looked up for each row is a nested loop all the same.
  set enable_seqscan = off set enable_mergejoin = off set enable_hashjoin = on set enable_nestloop = off as $$
#variable_conflict use_column
begin
  return query
  with words as materialized (
    -- Whole weights: equal sums are equal in whatever order they are added up.
    select k.fact_key as new_key, w.word, (ln(1 + total::float / d.facts) * 1000000)::integer as weight, d.facts <= 64 as is_whole,
           row_number() over (partition by k.fact_key order by d.facts, w.nth) as turn
      from find_facts(tenant, scope, keys) k
     cross join lateral unnest(k.words) with ordinality w(word, nth)
     cross join lateral (select d.facts from fact_words d
                          where d.tenant_id = tenant and d.scope_id = scope and d.word = w.word limit 1) d
     -- A word that no other fact has finds nothing.
     where d.facts > 1
  ), postings as materialized (
    select l.word, p.fact_key
      from (select distinct w.word from words w where w.turn <= 12) l
     cross join lateral (select p.fact_key from fact_postings p
                          where p.tenant_id = tenant and p.scope_id = scope and p.word = l.word and p.position < below
                          order by p.position desc, p.fact_key desc limit 64) p
  ), near as materialized (
    select c.new_key, c.fact_key
      from (select s.new_key, s.fact_key,
                   row_number() over (partition by s.new_key order by s.whole desc, s.found desc, s.fact_key) as place
              from (select w.new_key, p.fact_key, sum(case when w.is_whole then w.weight else 0 end) as whole,
                           sum(w.weight) as found
                      from words w join postings p on p.word = w.word
                     where w.turn <= 12
                     group by w.new_key, p.fact_key) s) c
     where c.place <= 40
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
   where r.place <= 20 group by r.fact_key;
end $$;

-- Ends a step, unless somebody did or its document was replaced: then nothing is written, and the answer is false. The facts that
-- were declined are those that nobody compared; of the others, and of what they were compared with, it is noted. Needs the head to be held.
create function end_step(tenant uuid, scope text, ended bigint, of_epoch integer, declined bigint[], met bigint[]) returns boolean
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  done   bigint[];
  closed bigint;
begin
  delete from comparison_steps s where s.tenant_id = tenant and s.scope_id = scope and s.step = ended and s.epoch = of_epoch
  returning s.facts into done;
  if not found then return false; end if;
  update facts f set state = case when f.fact_key = any(declined) then 'refused' else 'done' end
    from find_facts(tenant, scope, done) k
   where f.tenant_id = tenant and f.tableoid = k.part and f.ctid = k.place;
  select count(*) into closed from find_facts(tenant, scope, done) k where k.state = 'refused';
  update fact_counts c set steps = c.steps - 1, refused = c.refused + closed where c.tenant_id = tenant and c.scope_id = scope;
  if cardinality(met) > 0 then perform mark_compared(tenant, scope, met); end if;
  return true;
end $$;

-- Holds a step, and answers how many are held for this reason now; null where it was held for it already, or is gone. A step that no policy
-- permits is compared with everything once one does, because later steps left its facts out. Needs the head to be held.
create function hold_step(tenant uuid, scope text, held bigint, of_epoch integer, reason text, after_ms double precision) returns integer
  language plpgsql set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  before text;
begin
  select s.held_reason into before from comparison_steps s
   where s.tenant_id = tenant and s.scope_id = scope and s.step = held and s.epoch = of_epoch for update;
  if not found then return null; end if;
  update comparison_steps s
     set held_reason = reason, due_at = now() + after_ms * interval '1 ms',
         position = case when reason = 'not_permitted' then 9007199254740991 else s.position end
   where s.tenant_id = tenant and s.scope_id = scope and s.step = held;
  if before is not distinct from reason then return null; end if;
  return (select case reason when 'not_permitted' then c.not_permitted else c.over_budget end from fact_counts c
           where c.tenant_id = tenant and c.scope_id = scope);
end $$;

-- Makes some of the steps that are held for this reason due: of one scope, or of all scopes of the tenant where none is given.
create function wake_steps(tenant uuid, scope text, reason text, most integer) returns void
  language sql set plan_cache_mode = force_generic_plan begin atomic
  update comparison_steps s set due_at = now()
    from (select w.tableoid as part, w.ctid as place from comparison_steps w
           where w.tenant_id = tenant and (scope is null or w.scope_id = scope) and w.held_reason = reason and w.due_at > now()
           order by w.due_at limit most for update skip locked) w
   where s.tenant_id = tenant and s.tableoid = w.part and s.ctid = w.place;
end;

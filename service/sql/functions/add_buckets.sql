-- Adds two histograms, each a number of documents by bucket.
create or replace function add_buckets(before jsonb, more jsonb) returns jsonb
  language sql immutable parallel safe
  return case when more is null then before when before is null then more
    else (select jsonb_object_agg(key, documents)
            from (select key, sum(value::integer) as documents
                    from (select * from jsonb_each_text(before) union all select * from jsonb_each_text(more)) each
                   group by key) summed) end;

create or replace aggregate sum_buckets(jsonb) (sfunc = add_buckets, stype = jsonb);

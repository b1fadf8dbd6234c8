-- Returns the bucket of a duration: four buckets for each doubling, from one millisecond on. Bucket b has durations
-- above 2^((b-1)/4) ms and up to 2^(b/4) ms. Its middle differs from them by a tenth at most. The last bucket, 120, has
-- everything above ten days.
create or replace function duration_bucket(duration interval) returns integer
  language sql immutable parallel safe
  return least(120, ceil(4 / ln(2::float) * ln(greatest(1, 1000 * date_part('epoch', duration)))))::integer;

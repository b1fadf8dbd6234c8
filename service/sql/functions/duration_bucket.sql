-- The bucket of a duration: four to every doubling, from one millisecond on. Bucket b holds what took more than 2^((b-1)/4) ms
-- and at most 2^(b/4). Its middle is wrong by a tenth at the most. The last one, 120, holds all above ten days.
create or replace function duration_bucket(duration interval) returns integer
  language sql immutable parallel safe
  return least(120, ceil(4 / ln(2::float) * ln(greatest(1, 1000 * date_part('epoch', duration)))))::integer;

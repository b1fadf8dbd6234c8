-- Grants as many of the requests, in their order, as there is room for. A bucket holds a twelfth of the limit and fills by the
-- rest of it in a minute, so no minute sees more than the limit; a request may take more tokens than there are, and the next
-- ones wait for it. `unused` are tokens that were taken before and not needed. `wait_ms` says when to ask again where not all
-- were granted.
create or replace function take_model_rate(max_requests float, max_tokens float, costs bigint[], unused float,
                                out granted integer, out wait_ms float, out is_paused boolean)
  language plpgsql as $$
declare
  rate           record;
  cost           bigint;
  elapsed        float;
  room           float := greatest(1, max_requests / 12);
  tokens_room    float := max_tokens / 12;
  requests_left  float;
  tokens_left    float;
  requests_a_ms  float := greatest(max_requests - room, max_requests / 2) / 60000;
  tokens_a_ms    float := (max_tokens - tokens_room) / 60000;
begin
  granted := 0;
  if max_requests is null and max_tokens is null then
    select * into rate from model_rate;
  else
    select * into rate from model_rate for update;
  end if;
  wait_ms := greatest(0, extract(epoch from rate.paused_until - clock_timestamp()) * 1000);
  is_paused := wait_ms > 0;
  if max_requests is null and max_tokens is null then
    if not is_paused then granted := cardinality(costs); end if;
    return;
  end if;
  elapsed := extract(epoch from clock_timestamp() - rate.refilled_at) * 1000;
  requests_left := least(room, rate.requests + elapsed * requests_a_ms);
  tokens_left := least(tokens_room, rate.tokens + elapsed * tokens_a_ms + unused);
  if not is_paused then
    foreach cost in array costs loop
      exit when requests_left < 1 or tokens_left <= 0;
      granted := granted + 1;
      requests_left := requests_left - 1;
      tokens_left := tokens_left - cost;
    end loop;
    wait_ms := greatest(1, (1 - requests_left) / requests_a_ms, -tokens_left / tokens_a_ms);
  end if;
  update model_rate
     set requests = coalesce(requests_left, 0), tokens = coalesce(tokens_left, 0), refilled_at = clock_timestamp();
end $$;

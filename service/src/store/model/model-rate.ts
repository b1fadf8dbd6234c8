/** The statements of the rate limit that all workers share for the language model. They run as the kernel role. */
import type { Pool } from '../pools.ts'

export interface RateLimits {
  /** Undefined if there is no limit. */
  readonly requestsPerMinute: number | undefined
  readonly tokensPerMinute: number | undefined
}

export interface RateGrant {
  /** The number of granted requests, counted from the first. */
  readonly granted: number
  /** The delay until the next try, if not all requests were granted. */
  readonly waitMs: number
  /** True if the endpoint requested the pause. */
  readonly isPaused: boolean
}

/**
 * Requests tokens of the rate limit. `costs`: the maximum tokens of each request, in order. `unused`: tokens of earlier
 * grants to return.
 */
export async function takeRate(
  kernel: Pool,
  { requestsPerMinute, tokensPerMinute }: RateLimits,
  costs: readonly number[],
  unused: number,
): Promise<RateGrant> {
  const { rows } = await kernel.query<RateGrant>({
    name: 'take-model-rate',
    text: `select granted, wait_ms as "waitMs", is_paused as "isPaused" from take_model_rate($1, $2, $3::bigint[], $4)`,
    values: [requestsPerMinute ?? null, tokensPerMinute ?? null, costs, unused],
  })
  const [row] = rows
  if (!row) throw new Error('the statement did not answer')
  return row
}

/** Pauses the requests of all workers. A longer pause that is in force is kept. */
export async function pauseRate(kernel: Pool, forMs: number): Promise<void> {
  await kernel.query(
    `update model_rate set paused_until = greatest(paused_until, clock_timestamp() + $1 * interval '1 ms')`,
    [forMs],
  )
}

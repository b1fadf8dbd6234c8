/** Statements on the rate at which all workers together ask the language model. As the kernel role. */
import type { Pool } from '../pools.ts'

export interface RateLimits {
  /** Undefined where there is no limit. */
  readonly requestsPerMinute: number | undefined
  readonly tokensPerMinute: number | undefined
}

export interface RateGrant {
  /** How many of the requests, the first ones. */
  readonly granted: number
  /** When to ask again where not all were granted. */
  readonly waitMs: number
  /** The endpoint told a worker to wait so long. */
  readonly isPaused: boolean
}

/** `costs`: tokens that each request may take, in order. `unused`: tokens that were taken before and not needed. */
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

/** No worker asks for so long; a longer pause stays. */
export async function pauseRate(kernel: Pool, forMs: number): Promise<void> {
  await kernel.query(
    `update model_rate set paused_until = greatest(paused_until, clock_timestamp() + $1 * interval '1 ms')`,
    [forMs],
  )
}

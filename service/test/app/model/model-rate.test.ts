/** Processes take from the same buckets, and wait together where one of them was told to. */
import { beforeEach, describe, expect, it } from 'vitest'
import { createModelRate } from '../../../src/app/model/model-rate.ts'
import type { RateLimits } from '../../../src/app/model/model-rate.ts'
import { waitUntil } from '@concord/tools/launch'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database, 4, 'worker')
const NONE: RateLimits = { requestsPerMinute: undefined, tokensPerMinute: undefined }

beforeEach(() =>
  look(
    database(),
    `update model_rate set refilled_at = '2000-01-01', paused_until = '2000-01-01', tokens = 0`,
  ),
)

const open = (limits: Partial<RateLimits>, maxWaitMs = 60_000) =>
  createModelRate({ kernel: pools().kernel, limits: { ...NONE, ...limits }, maxWaitMs, log: silentLog })

/** Asks for so many at once; says how many were granted so far. */
function ask(rate: ReturnType<typeof open>, count: number, tokens = 1, signal?: AbortSignal) {
  const seen = { granted: 0, refused: [] as unknown[] }
  for (let nth = 0; nth < count; nth += 1)
    rate.acquire(tokens, signal).then(
      () => (seen.granted += 1),
      (error: unknown) => seen.refused.push(error),
    )
  return seen
}

const settled = (...rates: readonly ReturnType<typeof open>[]) =>
  waitUntil(() => rates.every((rate) => rate.waiting() === 0), {
    what: 'all to be decided',
    withinMs: 30_000,
  })

describe('the rate', () => {
  it('is a twelfth of the limit at once, for all processes together, and the rest of it in a minute', async () => {
    const stop = new AbortController()
    const [one, other] = [open({ requestsPerMinute: 120 }), open({ requestsPerMinute: 120 })]
    const began = performance.now()
    const [first, second] = [ask(one, 20, 1, stop.signal), ask(other, 20, 1, stop.signal)]
    await waitUntil(() => first.granted + second.granted >= 12, { what: 'twelve', withinMs: 30_000 })
    const elapsed = performance.now() - began
    // Ten at once, and 110 in a minute.
    expect(elapsed).toBeGreaterThan(900)
    expect(first.granted + second.granted).toBeLessThanOrEqual(11 + (elapsed * 110) / 60_000)
    stop.abort()
    await settled(one, other)
  })

  it('counts tokens, lets a long request pass, and gets back what was not used', async () => {
    const stop = new AbortController()
    const [one, other] = [open({ tokensPerMinute: 12_000 }), open({ tokensPerMinute: 12_000 })]
    await one.acquire(9_000)
    const waits = ask(other, 1, 10, stop.signal)
    const [row] = await look<{ tokens: number }>(database(), 'select tokens from model_rate')
    expect(row?.tokens).toBeCloseTo(-8_000, -2)
    one.giveBack(9_000)
    await one.acquire(1)
    await waitUntil(() => waits.granted === 1, { what: 'the other to go on', withinMs: 10_000 })
  })

  it('refuses what would wait for long, so that its document waits visibly', async () => {
    const rate = open({ requestsPerMinute: 12 }, 300)
    const { refused } = ask(rate, 30)
    await settled(rate)
    expect(refused.length).toBeGreaterThan(20)
    expect(refused[0]).toMatchObject({ reason: 'busy', retryAfterMs: expect.any(Number) })
  })

  it.each([{}, { requestsPerMinute: 6_000 }])(
    'stops for all while the endpoint asks for it: %j',
    async (limits) => {
      const [one, other] = [open(limits), open(limits)]
      await other.acquire(1)
      one.pause(3_000)
      await waitUntil(
        async () =>
          (await look(database(), 'select from model_rate where paused_until > now()')).length === 1,
        { what: 'the pause', withinMs: 10_000 },
      )
      await expect(other.acquire(1)).rejects.toMatchObject({ reason: 'busy' })
      await waitUntil(
        () =>
          other.acquire(1).then(
            () => true,
            () => false,
          ),
        { what: 'its end', withinMs: 30_000 },
      )
    },
  )
})

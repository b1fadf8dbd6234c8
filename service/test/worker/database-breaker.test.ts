/** How a worker waits for a database that is away. */
import { describe, expect, it } from 'vitest'
import { createDatabaseBreaker } from '../../src/worker/database-breaker.ts'

/** Fails so often, then answers. */
function askFailing(times: number) {
  const stage = { asked: 0 }
  const ask = async () => {
    stage.asked += 1
    if (stage.asked <= times) throw new Error('away')
  }
  return { stage, ask }
}

describe('a circuit breaker of the database', () => {
  it('is closed unless it was tripped, and probes nothing', async () => {
    const { stage, ask } = askFailing(0)
    await createDatabaseBreaker(ask, 1).closed()
    expect(stage.asked).toBe(0)
  })

  it('stays open until the first answer, with one probe for all calls', async () => {
    const { stage, ask } = askFailing(3)
    const breaker = createDatabaseBreaker(ask, 1)
    for (let noted = 0; noted < 5; noted += 1) breaker.trip()
    await Promise.all([breaker.closed(), breaker.closed()])
    expect(stage.asked).toBe(4)
  })

  it('can be tripped again', async () => {
    const { stage, ask } = askFailing(1)
    const breaker = createDatabaseBreaker(ask, 1)
    breaker.trip()
    await breaker.closed()
    breaker.trip()
    await breaker.closed()
    expect(stage.asked).toBe(3)
  })

  it('keeps nobody waiting once it is ended', async () => {
    const breaker = createDatabaseBreaker(() => Promise.reject(new Error('away')), 60_000)
    breaker.trip()
    const over = breaker.closed()
    breaker.stop()
    await expect(over).resolves.toBeUndefined()
  })
})

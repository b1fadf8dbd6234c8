import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/fault.ts'
import { DEADLINE_MS, withinDeadline } from '../../src/http/deadline.ts'
import { takingLong } from '../../src/http/route.ts'
import { useDatabase } from '../support/database.ts'
import { madeUpRoute } from '../support/made-up.ts'
import { usePools } from '../support/pools.ts'
import { buildServer } from '../support/server.ts'

const database = useDatabase()
const pools = usePools(database)

const never = new Promise<never>(() => undefined)

describe('a deadline', () => {
  it('passes on results and errors that arrive in time', async () => {
    expect(await withinDeadline(Promise.resolve('done'), 1_000)).toBe('done')
    const failure = new Error('no')
    await expect(withinDeadline(Promise.reject(failure), 1_000)).rejects.toBe(failure)
  })

  it('rejects with `unavailable` afterwards', async () => {
    await expect(withinDeadline(never, 10)).rejects.toSatisfy(
      (fault) => fault instanceof Fault && fault.code === 'unavailable',
    )
    await expect(withinDeadline(never, -1)).rejects.toBeInstanceOf(Fault)
  })

  it('ignores errors of work that fails afterwards', async () => {
    const late = Promise.withResolvers<never>()
    await expect(withinDeadline(late.promise, 1)).rejects.toBeInstanceOf(Fault)
    late.reject(new Error('nobody listens any more'))
    await late.promise.catch(() => undefined)
  })
})

describe('a request', () => {
  it('is answered 503 in time if its handler does not answer, unless it is a long response', async () => {
    const release = Promise.withResolvers<void>()
    const slow = async () => {
      await release.promise
      return { status: 200, body: {} }
    }
    const server = buildServer(pools(), [
      madeUpRoute({ path: '/silent' }, 'none', slow),
      takingLong(madeUpRoute({ path: '/long' }, 'none', slow)),
    ])
    const asked = performance.now()
    const long = server.inject('/long')
    const { statusCode, headers, body } = await server.inject('/silent')
    expect(performance.now() - asked).toBeLessThan(DEADLINE_MS + 1_000)
    expect([statusCode, JSON.parse(body).code]).toEqual([503, 'unavailable'])
    expect(headers['retry-after']).toBeDefined()
    release.resolve()
    expect((await long).statusCode).toBe(200)
    await server.close()
  }, 15_000)
})

/** The pools of the service on the database of a test file, and a way to see how often one is asked. */
import { afterAll, beforeAll } from 'vitest'
import { openPools } from '../../src/store/pools.ts'
import type { Pool, Pools } from '../../src/store/pools.ts'
import type { TestDatabase } from './database.ts'
import { silentLog } from './log.ts'

const PATIENT = { statementMs: 50_000, idleInTransactionMs: 50_000 }

/** Call after `useDatabase`, so that the pools are closed before their database is dropped. */
export function usePools(
  database: () => TestDatabase,
  size = 4,
  role: 'api' | 'worker' = 'api',
): () => Pools {
  let pools: Pools | undefined
  beforeAll(() => {
    // Opens pools like the processes of either role open theirs, but for the timeouts: a busy machine must not fail a test.
    const pipelined = role === 'worker'
    pools = openPools({ url: database().url(role), size, log: silentLog, pipelined, timeouts: PATIENT })
  })
  afterAll(() => pools?.close())
  return () => {
    if (!pools) throw new Error('The pools exist only inside tests')
    return pools
  }
}

export interface CountedPool {
  readonly pool: Pool
  /** Statements sent so far. */
  count(): number
  /** The next statement fails instead of being sent. */
  failNext(error: Error): void
}

/** The same pool, with every statement counted on its way to the real server. */
export function countQueries(pool: Pool): CountedPool {
  let count = 0
  let failure: Error | undefined
  const counted = new Proxy(pool, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'query' || typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        count += 1
        const fails = failure
        failure = undefined
        return fails ? Promise.reject(fails) : Reflect.apply(value, target, args)
      }
    },
  })
  return { pool: counted, count: () => count, failNext: (error) => void (failure = error) }
}

import { createServer } from 'node:net'
import { beforeAll, afterAll, describe, expect, it } from 'vitest'
import { freePort } from '@concord/tools/launch'
import { isConflict, isRefused, isTimeout, isUnavailable } from '../../src/store/failures.ts'
import { openPools } from '../../src/store/pools.ts'
import { useDatabase } from '../support/database.ts'
import { silentLog } from '../support/log.ts'
import { usePools } from '../support/pools.ts'
import { asRole } from '../support/sessions.ts'
import { openProxy } from '../support/proxy.ts'
import type { Proxy } from '../support/proxy.ts'

const database = useDatabase()
const pools = usePools(database)

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

async function failureAt(url: string): Promise<unknown> {
  const own = openPools({ url, size: 1, log: silentLog })
  try {
    return await failureOf(own.tenant.query('select 1'))
  } finally {
    await own.close()
  }
}

function at(host: string, port: number, name?: string): string {
  const url = new URL(database().url('api'))
  url.hostname = host
  url.port = String(port)
  if (name !== undefined) url.pathname = `/${name}`
  return url.href
}

describe('a timeout', () => {
  it('is a statement, a lock or an idle transaction that took too long, and not a database that stops', async () => {
    const timeouts = [
      "set statement_timeout = '50ms'; select pg_sleep(5)",
      "do $$ begin raise sqlstate '55P03'; end $$",
      "do $$ begin raise sqlstate '25P03'; end $$",
    ]
    for (const statement of timeouts) {
      const failure = await failureOf(pools().tenant.query(statement))
      expect([isTimeout(failure), isUnavailable(failure)]).toEqual([true, true])
    }
    const stopping = await failureOf(pools().tenant.query("do $$ begin raise sqlstate '57P01'; end $$"))
    expect([isTimeout(stopping), isUnavailable(stopping)]).toEqual([false, true])
  })
})

describe('a database that is away', () => {
  it('is one whose port is closed', async () => {
    const failure = await failureAt(at('127.0.0.1', await freePort()))
    expect([isUnavailable(failure), isRefused(failure)]).toEqual([true, true])
  })

  it('is one whose host has no address', async () => {
    expect(isUnavailable(await failureAt(at('database.invalid', 5432)))).toBe(true)
  })

  it('is one whose name cannot be looked up just now', () => {
    const error = Object.assign(new Error('getaddrinfo EAI_AGAIN database'), { code: 'EAI_AGAIN' })
    expect(isUnavailable(error)).toBe(true)
  })

  it('is one that accepts a connection and then says nothing', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = typeof address === 'object' && address ? address.port : 0
    expect(isUnavailable(await failureAt(at('127.0.0.1', port)))).toBe(true)
    silent.close()
  })

  it('is one that ended our session', async () => {
    const client = await pools().tenant.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const sleeping = failureOf(client.query('select pg_sleep(60)'))
    await asRole(database(), 'superuser', (superuser) =>
      superuser.query('select pg_terminate_backend($1)', [rows[0]?.pid]),
    )
    // The statement may have happened or not.
    expect([isUnavailable(await sleeping), isRefused(await sleeping)]).toEqual([true, false])
    expect(isUnavailable(await failureOf(client.query('select 1')))).toBe(true)
    client.release(true)
  })

  it('is one that has no connection left for us', () => {
    expect(isUnavailable(Object.assign(new Error('too many clients'), { code: '53300' }))).toBe(true)
  })

  it('is one that is still starting or already stopping', () => {
    for (const code of ['57P01', '57P02', '57P03'])
      expect(isUnavailable(Object.assign(new Error('x'), { code }))).toBe(true)
  })
})

describe('a network that breaks under a statement', () => {
  let proxy: Proxy
  beforeAll(async () => {
    proxy = await openProxy(database().services.postgres)
  })
  afterAll(() => proxy.close())

  it.each(['reset', 'end'] as const)('by %s is a database that is away', async (manner) => {
    const own = openPools({ url: at('127.0.0.1', proxy.port), size: 1, log: silentLog })
    const client = await own.tenant.connect()
    // Short, because the server goes on sleeping although nobody listens any more.
    const sleeping = failureOf(client.query('select pg_sleep(1)'))
    proxy[manner]()
    expect(isUnavailable(await sleeping)).toBe(true)
    client.release(true)
    await own.close()
  })
})

describe('a database that is there', () => {
  it.each([
    ['a syntax error', 'selekt 1'],
    ['an unknown table', 'select from nothing'],
    ['a missing right', 'select digest from keys'],
    ['a value that does not fit', `select 'x'::uuid`],
    ['a division by zero', 'select 1 / 0'],
  ])('is not called away because of %s', async (_, statement) => {
    const failure = await failureOf(pools().tenant.query(statement))
    expect(failure).toBeInstanceOf(Error)
    expect(isUnavailable(failure)).toBe(false)
  })

  it('is not called away because of a wrong name in the address', async () => {
    const { port } = database().services.postgres
    expect(isUnavailable(await failureAt(at('127.0.0.1', port, 'no_such_database')))).toBe(false)
  })

  it.each([undefined, null, 'ECONNREFUSED', new Error('anything else'), { code: 'ECONNREFUSED' }])(
    'is not called away because of %s',
    (thrown) => {
      expect(isUnavailable(thrown)).toBe(false)
    },
  )
})

describe('a transaction that gave in', () => {
  const raise = (state: string) => `do $$ begin raise exception 'x' using errcode = '${state}'; end $$`

  it.each(['40001', '40P01'])(
    'with %s is worth trying again at once, and nothing is called away',
    async (state) => {
      const failure = await failureOf(pools().tenant.query(raise(state)))
      expect([isConflict(failure), isUnavailable(failure)]).toEqual([true, false])
    },
  )

  it.each(['23505', '57P01', '08006'])('is not meant by %s', async (state) => {
    expect(isConflict(await failureOf(pools().tenant.query(raise(state))))).toBe(false)
  })

  it.each([undefined, null, '40001', { code: '40001' }])('is not meant by %s', (thrown) => {
    expect(isConflict(thrown)).toBe(false)
  })
})

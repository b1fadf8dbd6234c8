import { describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { pingDatabase } from '../../src/store/ping.ts'
import { openPools } from '../../src/store/pools.ts'
import { useDatabase } from '../support/database.ts'
import { createMemoryLog, silentLog } from '../support/log.ts'
import { usePools } from '../support/pools.ts'
import { asRole } from '../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)

const roleOf = `select current_user as role, session_user as login`

describe('the pools', () => {
  it('work as two roles of one login', async () => {
    expect((await pools().tenant.query(roleOf)).rows).toEqual([{ role: 'concord_api', login: 'concord_api' }])
    expect((await pools().registry.query(roleOf)).rows).toEqual([
      { role: 'concord_registrar', login: 'concord_api' },
    ])
  })

  it('limit how long a statement and an idle transaction may take', async () => {
    const own = openPools({ url: database().url('api'), size: 1, log: silentLog })
    for (const pool of [own.tenant, own.registry]) {
      const { rows } = await pool.query(
        `select current_setting('statement_timeout') as statement,
                current_setting('idle_in_transaction_session_timeout') as idle`,
      )
      expect(rows).toEqual([{ statement: '5s', idle: '2s' }])
    }
    await own.close()
  })

  it('are closed twice without harm', async () => {
    const own = openPools({ url: database().url('api'), size: 1, log: silentLog })
    await pingDatabase(own.tenant)
    await Promise.all([own.close(), own.close()])
    await own.close()
    await expect(pingDatabase(own.tenant)).rejects.toThrow(/after calling end/)
  })

  it('survive the loss of idle and of busy connections, and say so in the log', async () => {
    const { log, lines } = createMemoryLog()
    const own = openPools({ url: database().url('api'), size: 2, log })
    const busy = await own.tenant.connect()
    await Promise.all([pingDatabase(own.tenant), pingDatabase(own.registry)])
    await asRole(database(), 'superuser', (client) =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
        [database().name],
      ),
    )
    await waitUntil(() => lines().filter(({ level }) => level === 'warn').length >= 3, {
      what: 'three warnings',
    })
    busy.release(true)
    // A busy machine may hear of the last loss only when the connection is used.
    for (const pool of [own.tenant, own.registry])
      await expect(
        waitUntil(() => pingDatabase(pool).then(isTrue, isFalse), { what: 'A new connection' }),
      ).resolves.not.toThrow()
    await own.close()
  })
})

const isTrue = () => true
const isFalse = () => false

/** A broker that keeps its connections and answers nothing: every health route says so, and says when it is over. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { bearer, startTestApi } from '../support/api.ts'
import type { TestApi } from '../support/api.ts'
import { testConfig } from '../support/config.ts'
import { useDatabase } from '../support/database.ts'
import { makeRootKey } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { openProxy } from '../support/proxy.ts'
import type { Proxy } from '../support/proxy.ts'

const database = useDatabase()
const pools = usePools(database)

let proxy: Proxy
let api: TestApi
let internals = ''

beforeAll(async () => {
  const broker = new URL(testConfig(database()).NATS_URL)
  proxy = await openProxy({ host: broker.hostname, port: Number(broker.port) })
  broker.port = String(proxy.port)
  internals = (await makeRootKey(pools(), 'internals')).key
  api = await startTestApi(database(), { NATS_URL: broker.href })
})
afterAll(async () => {
  proxy.thaw()
  await api.stop()
  await proxy.close()
})

const statusOf = async (path: string) => (await api.call(path, { headers: bearer(internals) })).body['status']

it('is reported by readiness and by the health of each tier', async () => {
  await waitUntil(async () => (await statusOf('/readyz')) === 'ok', { what: 'readiness' })
  proxy.freeze()
  await waitUntil(async () => (await statusOf('/readyz')) === 'degraded', { what: 'the loss of the broker' })
  for (const path of ['/api/health', '/admin/health', '/internals/health'])
    expect([path, await statusOf(path)]).toEqual([path, 'degraded'])
  proxy.thaw()
  await waitUntil(async () => (await statusOf('/readyz')) === 'ok', { what: 'readiness' })
})

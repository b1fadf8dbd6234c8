/** The loss of a dependency on the whole way: two dispatchers lose the broker, and the operator's stream tells of it once. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bearer, startTestApi } from '../support/api.ts'
import type { TestApi } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { makeRootKey } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, startKernelProcess } from '../support/process.ts'
import { openProxy } from '../support/proxy.ts'
import type { Proxy } from '../support/proxy.ts'
import { removeStream } from '../support/queue.ts'
import { openStream } from '../support/streams.ts'

const database = useDatabase()
const pools = usePools(database)

let proxy: Proxy
let api: TestApi
let dispatchers: readonly Awaited<ReturnType<typeof startKernelProcess>>[] = []
let internals = ''

beforeAll(async () => {
  const env = processEnv(database())
  const broker = new URL(env['NATS_URL'] ?? '')
  proxy = await openProxy({ host: broker.hostname, port: Number(broker.port) })
  broker.port = String(proxy.port)
  internals = (await makeRootKey(pools(), 'internals')).key
  api = await startTestApi(database())
  const own = { ...env, NATS_URL: broker.href }
  dispatchers = await Promise.all([1, 2].map(() => startKernelProcess(own, 'dispatcher')))
})
afterAll(async () => {
  proxy.thaw()
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()))
  await api.stop()
  await proxy.close()
  await removeStream(processEnv(database())['SUBJECT_PREFIX'] ?? '')
})

it('causes one event on the operator’s stream when it is lost, and one when it is back', async () => {
  const stream = await openStream(`${api.address}/internals/kernel/events`, bearer(internals))
  proxy.freeze()
  await stream.untilEvent('dependency.lost', undefined, 30_000)
  proxy.thaw()
  proxy.reset()
  const restored = await stream.untilEvent('dependency.restored', undefined, 30_000)
  expect(restored.data).toMatchObject({
    source: '/kernel',
    subject: 'broker',
    data: { dependency: 'broker', lost_for_ms: expect.any(Number) },
  })
  expect(stream.frames.map(({ event }) => event)).toEqual(['dependency.lost', 'dependency.restored'])
  await stream.close()
})

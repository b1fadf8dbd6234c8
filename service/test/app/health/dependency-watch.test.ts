/** Tests the events of the operator's stream on dependencies that go away, by two dispatchers over real servers that are cut off. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventSchemas } from '@concord/contract'
import { waitUntil } from '@concord/tools/launch'
import { createDependencyWatch } from '../../../src/app/health/dependency-watch.ts'
import { createBroker } from '../../../src/engine/broker.ts'
import type { Broker } from '../../../src/engine/broker.ts'
import { pingBroker } from '../../../src/engine/ping.ts'
import type { Part } from '../../../src/platform/lifecycle.ts'
import { pingDatabase } from '../../../src/store/ping.ts'
import { openPools } from '../../../src/store/pools.ts'
import type { Pools } from '../../../src/store/pools.ts'
import { releaseLeases, renewLeases } from '../../../src/store/processing/dispatch.ts'
import { testConfig } from '../../support/config.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { openProxy } from '../../support/proxy.ts'
import type { Proxy } from '../../support/proxy.ts'

const database = useDatabase()
const LOST_AFTER_MS = 400

interface Watcher {
  readonly holder: string
  readonly pools: Pools
  readonly watch: Part
}

let toDatabase: Proxy
let toBroker: Proxy
let broker: Broker
let watchers: readonly Watcher[]
let model: 'on' | 'failing' | undefined

async function proxyOf(url: string): Promise<[Proxy, string]> {
  const address = new URL(url)
  const proxy = await openProxy({ host: address.hostname, port: Number(address.port) })
  address.hostname = '127.0.0.1'
  address.port = String(proxy.port)
  return [proxy, address.href]
}

function watcherOf(holder: string, url: string): Watcher {
  const pools = openPools({ url, size: 2, log: silentLog })
  const watch = createDependencyWatch({
    kernel: pools.kernel,
    holder,
    pingDatabase: () => pingDatabase(pools.kernel),
    pingBroker: () => pingBroker(broker),
    modelState: () => model,
    log: silentLog,
    everyMs: 50,
    lostAfterMs: LOST_AFTER_MS,
    answerMs: LOST_AFTER_MS / 2,
  })
  return { holder, pools, watch }
}

beforeAll(async () => {
  const [brokerProxy, brokerUrl] = await proxyOf(testConfig(database()).NATS_URL)
  toBroker = brokerProxy
  broker = createBroker(brokerUrl, silentLog)
  await broker.start()
})
beforeEach(async () => {
  model = undefined
  const [proxy, url] = await proxyOf(database().url('worker'))
  toDatabase = proxy
  watchers = ['one', 'two'].map((holder) => watcherOf(holder, url))
  await lead('one')
  await look(database(), 'delete from kernel_log')
  await Promise.all(watchers.map(({ watch }) => watch.start()))
})
afterEach(async () => {
  toDatabase.thaw()
  toBroker.thaw()
  await Promise.all(watchers.map(({ watch }) => watch.stop()))
  for (const { holder, pools } of watchers) {
    await releaseLeases(pools.kernel, holder)
    await pools.close()
  }
  await toDatabase.close()
})
afterAll(async () => {
  await broker.stop()
  await toBroker.close()
})

const lead = (holder: string) => {
  const found = watchers.find((each) => each.holder === holder)
  if (!found) throw new Error('no such dispatcher')
  return renewLeases(found.pools.kernel, holder, 60)
}

interface Told {
  readonly kind: 'dependency.lost' | 'dependency.restored'
  readonly data: { readonly dependency: string; readonly lost_for_ms?: number }
}
const told = () => look<Told>(database(), 'select kind, data from kernel_log order by kernel_seq')
const kinds = async () => (await told()).map(({ kind, data }) => `${kind} ${data.dependency}`)
const untilTold = (count: number) =>
  waitUntil(async () => (await told()).length >= count, { what: `${count} events`, withinMs: 20_000 })
/** Long enough for another dispatcher to say the same. */
const settled = () => new Promise((done) => setTimeout(done, 4 * LOST_AFTER_MS))

describe('a dependency that is unavailable for a while', () => {
  it('causes one event when the broker is lost, and one when it is back', async () => {
    toBroker.freeze()
    await untilTold(1)
    await settled()
    expect(await kinds()).toEqual(['dependency.lost broker'])
    toBroker.thaw()
    await untilTold(2)
    await settled()
    expect(await kinds()).toEqual(['dependency.lost broker', 'dependency.restored broker'])
    expect((await told())[1]?.data.lost_for_ms).toBeGreaterThanOrEqual(LOST_AFTER_MS)
  })

  it('causes an event from the dispatcher that takes over, if the first one is gone', async () => {
    toBroker.freeze()
    await untilTold(1)
    await releaseLeases(watchers[0]?.pools.kernel ?? failed(), 'one')
    await lead('two')
    toBroker.thaw()
    await untilTold(2)
    await settled()
    expect(await kinds()).toEqual(['dependency.lost broker', 'dependency.restored broker'])
  })

  it('causes its events when the database is back, if it was the database', async () => {
    toDatabase.freeze()
    await settled()
    await settled()
    expect(await kinds()).toEqual([])
    toDatabase.thaw()
    await untilTold(2)
    await settled()
    expect(await kinds()).toEqual(['dependency.lost database', 'dependency.restored database'])
    const times = await look<{ ms: number }>(
      database(),
      'select extract(epoch from max(at) - min(at))::float8 * 1000 as ms from kernel_log',
    )
    expect(times[0]?.ms).toBeCloseTo((await told())[1]?.data.lost_for_ms ?? 0, -1)
  })

  it('causes an event when the workers report the model as unavailable', async () => {
    model = 'failing'
    await untilTold(1)
    model = undefined
    await settled()
    expect(await kinds()).toEqual(['dependency.lost model'])
    model = 'on'
    await untilTold(2)
    expect(await kinds()).toEqual(['dependency.lost model', 'dependency.restored model'])
  })

  it('causes no event when it is unavailable for a moment', async () => {
    model = 'failing'
    await new Promise((done) => setTimeout(done, LOST_AFTER_MS / 4))
    model = 'on'
    await settled()
    expect(await kinds()).toEqual([])
  })

  it('causes events as the contract defines them', async () => {
    model = 'failing'
    await untilTold(1)
    model = 'on'
    await untilTold(2)
    for (const { kind, data } of await told()) {
      const event = {
        specversion: '1.0',
        id: '1',
        source: '/kernel',
        type: kind,
        subject: data.dependency,
        time: new Date().toISOString(),
        data,
      }
      expect(eventSchemas.get(kind)?.parse(event)).toEqual(event)
    }
  })
})

function failed(): never {
  throw new Error('no dispatcher')
}

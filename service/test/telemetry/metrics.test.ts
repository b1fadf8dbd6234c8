import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '@concord/tools/launch'
import { createHistogram, labelled, numberMetric } from '../../src/platform/metrics.ts'
import type { Metric } from '../../src/platform/metrics.ts'
import { createMetrics } from '../../src/telemetry/metrics-server.ts'
import type { Metrics } from '../../src/telemetry/metrics-server.ts'
import { createMemoryLog } from '../support/log.ts'
import { scrape, total } from '../support/metrics.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function start(port: number, added: readonly Metric[], log = createMemoryLog()): Promise<Metrics> {
  const metrics = createMetrics({ host: '127.0.0.1', port, process: 'test', version: '1.2.3', log: log.log })
  metrics.add(added)
  await metrics.start()
  closing.push(() => metrics.stop())
  return metrics
}

const addressOf = (metrics: Metrics) => metrics.address() ?? expect.fail('no metrics are served')

const occupy = (port: number) =>
  new Promise<void>((resolve) => {
    const holder = createServer().listen(port, '127.0.0.1', () => {
      closing.push(() => new Promise((closed) => void holder.close(() => closed())))
      resolve()
    })
  })

describe('the metrics of a process', () => {
  it('are what the figures say at the moment they are asked, with the process on each', async () => {
    let count = 3
    const states = { idle: 1, busy: 2 }
    const metrics = await start(await freePort(), [
      numberMetric('counter', 'test_things', 'Things.', () => count),
      { kind: 'gauge', name: 'test_states', help: 'By state.', read: async () => labelled('state', states) },
    ])
    expect(total(await scrape(addressOf(metrics)), 'test_things_total', { process: 'test' })).toBe(3)
    count = 5
    const shown = await scrape(addressOf(metrics))
    expect(total(shown, 'test_things_total')).toBe(5)
    expect(total(shown, 'test_states', { state: 'busy' })).toBe(2)
    expect(shown.find(({ name }) => name === 'target_info')?.labels).toMatchObject({
      service_name: 'concord',
      service_version: '1.2.3',
    })
  })

  it('count into the buckets of a histogram, each with all below it, and sum up', async () => {
    const histogram = createHistogram([1, 2, 4])
    for (const value of [0.5, 1, 1.5, 4, 100]) histogram.observe(value)
    const read = () => [{ histogram, labels: { kind: 'a' } }]
    const metrics = await start(await freePort(), [
      { kind: 'histogram', name: 'test_sizes', help: 'Sizes.', read },
    ])
    const shown = await scrape(addressOf(metrics))
    const buckets = ['1', '2', '4', '+Inf'].map((le) => total(shown, 'test_sizes_bucket', { le, kind: 'a' }))
    expect(buckets).toEqual([2, 3, 4, 5])
    expect([total(shown, 'test_sizes_count'), total(shown, 'test_sizes_sum')]).toEqual([5, 107])
  })

  it('of one name that two parts tell are both there', async () => {
    const of = (role: string): Metric => ({
      kind: 'counter',
      name: 'test_said',
      help: 'Said.',
      read: () => [{ value: role.length, labels: { role } }],
    })
    const metrics = await start(await freePort(), [of('one'), of('three')])
    const shown = await scrape(addressOf(metrics))
    expect(total(shown, 'test_said_total', { role: 'one' })).toBe(3)
    expect(total(shown, 'test_said_total', { role: 'three' })).toBe(5)
  })

  it('leave out what a figure cannot say just now, and go on with the others', async () => {
    const metrics = await start(await freePort(), [
      { kind: 'gauge', name: 'test_silent', help: 'Silent.', read: async () => [] },
      { kind: 'gauge', name: 'test_broken', help: 'Broken.', read: () => Promise.reject(new Error('away')) },
      numberMetric('gauge', 'test_well', 'Well.', () => 1),
    ])
    const shown = await scrape(addressOf(metrics))
    expect(total(shown, 'test_silent')).toBeUndefined()
    expect(total(shown, 'test_broken')).toBeUndefined()
    expect(total(shown, 'test_well')).toBe(1)
  })

  it('are at the next port when another process of the same environment has the first', async () => {
    const port = await freePort()
    await occupy(port)
    const metrics = await start(port, [numberMetric('gauge', 'test_well', 'Well.', () => 1)])
    const taken = Number(new URL(addressOf(metrics)).port)
    expect(taken).toBeGreaterThan(port)
    expect(total(await scrape(addressOf(metrics)), 'test_well')).toBe(1)
  })

  it('that find no port are said to be missing in the log, and do not keep the process from working', async () => {
    await occupy(65_535)
    const log = createMemoryLog()
    const metrics = await start(65_535, [], log)
    expect(metrics.address()).toBeUndefined()
    expect(log.text()).toContain('no metrics are served')
  })

  it('answer nothing but GET /metrics', async () => {
    const metrics = await start(await freePort(), [])
    const { origin } = new URL(addressOf(metrics))
    expect((await fetch(`${origin}/`)).status).toBe(404)
    expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(404)
  })
})

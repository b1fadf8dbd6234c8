/** Two worker processes and one endpoint: they keep to its limits together. */
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import type { Child } from '@concord/tools/launch'
import { waitUntil } from '@concord/tools/launch'
import { useArchive } from '../support/archive.ts'
import { useDatabase } from '../support/database.ts'
import { extract } from '../support/model-answers.ts'
import { failWith, useModelServer } from '../support/model-endpoint.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, startKernelProcess } from '../support/process.ts'
import { removeStream } from '../support/queue.ts'

vi.setConfig({ testTimeout: 180_000 })

const database = useDatabase()
const pools = usePools(database)
const archive = useArchive(database, pools)
const server = useModelServer()
const children: Child[] = []

afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.stop()))
})
afterAll(() => removeStream(processEnv(database())['SUBJECT_PREFIX'] ?? ''))

/** The key tells which process asks. */
async function start(settings: Record<string, string>): Promise<void> {
  const env = { ...processEnv(database()), READERS: '1', MODEL_URL: server().url, MODEL_NAME: 'made-up' }
  const worker = (key: string) => startKernelProcess({ ...env, ...settings, MODEL_API_KEY: key }, 'worker')
  children.push(...(await Promise.all([startKernelProcess(env, 'dispatcher'), worker('one'), worker('two')])))
}

interface Arrival {
  readonly at: number
  readonly by: string | undefined
}

async function ingest(from: number, to: number): Promise<void> {
  for (let nth = from; nth < to; nth += 1) {
    const text = `Site ${nth} had ${nth} employees.`
    await archive().ingest({ documentId: `d${nth}`, text, characters: text.length })
  }
}

it('sends no more requests together than one of them may', async () => {
  const arrivals: Arrival[] = []
  server().behave((request, response) => {
    arrivals.push({ at: performance.now(), by: request.authorization })
    extract(request, response)
  })
  await start({ MODEL_REQUESTS_PER_MINUTE: '60' })
  await ingest(0, 25)
  await waitUntil(() => arrivals.length >= 18, { what: '18 requests', withinMs: 120_000, everyMs: 50 })
  const windows = arrivals.map(
    ({ at }) => arrivals.filter((each) => each.at >= at && each.at < at + 5_000).length,
  )
  // Five at once and 55 in a minute: a request may be on its way for a moment.
  expect(Math.max(...windows)).toBeLessThanOrEqual(5 + Math.ceil((5 * 55) / 60) + 2)
  expect(new Set(arrivals.map(({ by }) => by))).toEqual(new Set(['Bearer one', 'Bearer two']))
})

it('leaves the endpoint alone together when it asks one of them to', async () => {
  const arrivals: Arrival[] = []
  let refusedAt = Infinity
  let isToRefuse = false
  server().behave((request, response) => {
    arrivals.push({ at: performance.now(), by: request.authorization })
    if (isToRefuse) {
      isToRefuse = false
      refusedAt = performance.now()
      return failWith(429, { 'retry-after': '9' })(request, response)
    }
    extract(request, response)
  })
  await start({})
  await ingest(100, 125)
  await waitUntil(() => new Set(arrivals.map(({ by }) => by)).size === 2, {
    what: 'both processes asking',
    withinMs: 60_000,
  })
  isToRefuse = true
  await ingest(200, 210)
  await waitUntil(() => refusedAt < Infinity, { what: 'the refusal', withinMs: 60_000 })
  await ingest(300, 320)
  await waitUntil(() => arrivals.some(({ at }) => at > refusedAt + 8_500), {
    what: 'requests again',
    withinMs: 120_000,
  })
  // A request that was on its way may still arrive. Alone, the other process would send all it has.
  const meanwhile = arrivals.filter(({ at }) => at > refusedAt + 3_000 && at < refusedAt + 8_500)
  expect(meanwhile.length).toBeLessThan(3)
})

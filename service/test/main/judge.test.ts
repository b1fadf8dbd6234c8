/** The judge on the whole way: configured and permitted by command, asked by a real worker, seen in health, figures and doctor. */
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { freePort, waitUntil } from '@concord/tools/launch'
import { bearer, callApi, jsonBody } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { judgeBy, TOKENS, useJudgeEndpoint } from '../support/judge-endpoint.ts'
import { BRIDGE, HEATING } from '../support/judging.ts'
import { scrape, total } from '../support/metrics.ts'
import { makeRootKey, makeScope, makeTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, runConcord, startApiProcess } from '../support/process.ts'
import type { ApiProcess } from '../support/process.ts'
import { removeStream } from '../support/queue.ts'
import { openStream } from '../support/streams.ts'

vi.setConfig({ testTimeout: 120_000 })

const database = useDatabase()
const pools = usePools(database)
const endpoint = useJudgeEndpoint()

afterAll(() => removeStream(processEnv(database())['SUBJECT_PREFIX'] ?? ''))

let up: ApiProcess | undefined
afterEach(() => up?.stop())

const KEY = 'judge-key-that-nobody-sees'

describe('a service with a judge', () => {
  it('continues to read while the judge is silent, and reports its verdicts in events and metrics', async () => {
    endpoint().behave(() => undefined)
    endpoint().requests.length = 0
    const metricsPort = await freePort()
    const env = {
      ...processEnv(database()),
      READERS: '1',
      JUDGE_URL: endpoint().url,
      JUDGE_MODEL: 'made-up',
      JUDGE_API_KEY: KEY,
      JUDGE_TIMEOUT_MS: '1000',
      METRICS_PORT: String(metricsPort),
    }
    const tenant = await makeTenant(pools())
    await makeScope(pools(), tenant, 'default')
    const { key: operator } = await makeRootKey(pools(), 'internals')
    up = await startApiProcess({ ...env, LOG_LEVEL: 'debug' }, 'up')
    const { url, output } = up
    const own = { ...bearer(tenant.key), 'x-tenant-id': tenant.tenantId }
    const stream = await openStream(`${url}/api/scopes/default/events?after=0`, own)
    const send = async (documentId: string, text: string) => {
      const body = { scope_id: 'default', name: documentId, text, document_id: documentId }
      const { headers, ...rest } = jsonBody(body)
      const answer = await callApi(`${url}/api/ingest`, { ...rest, headers: { ...headers, ...own } })
      expect(answer.status).toBe(202)
      await stream.untilEvent('document.processed', documentId, 30_000)
    }
    const judgeHealth = async () => {
      const answer = await callApi(`${url}/internals/kernel/health`, { headers: bearer(operator) })
      return answer.body['judge']
    }
    const until = (what: string, check: () => Promise<boolean>) =>
      waitUntil(async () => (await check()) || undefined, { what, withinMs: 60_000, everyMs: 100 })

    // Nobody has permitted anything: nothing leaves.
    await send('a', BRIDGE[0])
    await send('b', BRIDGE[1])
    await until('health telling of the judge', async () => (await judgeHealth()) === 'on')
    const permitted = await runConcord(env, 'judge', 'permit', '--tenant', tenant.tenantId, '--json')
    expect(JSON.parse(permitted.stdout)).toMatchObject({ permitted: true, waiting: 0 })
    expect(endpoint().requests).toEqual([])

    // Permitted, and silent: documents are read all the same.
    await send('c', HEATING[0])
    await send('d', HEATING[1])
    await until('a question being put', async () => endpoint().requests.length > 0)
    await send('e', 'The meeting was short.')
    await until('health telling that it fails', async () => (await judgeHealth()) === 'failing')

    endpoint().behave(judgeBy(() => 'conflict'))
    await database().superuser.query('update judge_requests set due_at = now()')
    await stream.untilEvent('contradiction.opened', undefined, 60_000)
    const { body } = await callApi(`${url}/api/scopes/default/contradictions`, { headers: own })
    expect(body['items']).toMatchObject([
      { relation: 'conflict', decided_by: 'judge:made-up', confidence: 0.6, status: 'open' },
    ])
    await until('health telling that it is well', async () => (await judgeHealth()) === 'on')

    const addresses = [...output().matchAll(/"address":"(http:[^"]+\/metrics)"/g)].map(([, at = '']) => at)
    const shown = (await Promise.all(addresses.map(scrape))).flat()
    expect(total(shown, 'concord_judge_verdicts_total', { verdict: 'conflict' })).toBe(1)
    expect(total(shown, 'concord_judge_tokens_total')).toBeGreaterThanOrEqual(TOKENS)
    expect(total(shown, 'concord_judge_failures_total', { reason: 'timeout' })).toBeGreaterThan(0)

    const standing = await runConcord(env, 'judge', 'show', '--tenant', tenant.tenantId, '--json')
    expect(JSON.parse(standing.stdout)).toMatchObject({ permitted: true, waiting: 0, verdicts: 1 })
    const checked = await runConcord(env, 'doctor', '--json')
    expect(checked.stdout).toContain('answers, for')
    expect(output()).not.toContain(KEY)
    expect(output()).not.toContain('Marlow')
    expect(checked.output).not.toContain(KEY)
    await stream.close()
  })
})

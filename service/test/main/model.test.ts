/** Reading with a language model on the whole way: a real process, a real endpoint, real servers. */
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { freePort, waitUntil } from '@concord/tools/launch'
import { bearer, callApi, jsonBody } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { extract, extractionOf, isExtraction, textIn } from '../support/model-answers.ts'
import { scrape, total } from '../support/metrics.ts'
import { answerWith, completion, failWith, sendJson, useModelServer } from '../support/model-endpoint.ts'
import type { ReceivedRequest } from '../support/model-endpoint.ts'
import { putPolicy } from '../../src/app/access/policies.ts'
import { policyEngine } from '../support/policies.ts'
import { auditor, makeRootKey, makeScope, makeTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, runConcord, startApiProcess } from '../support/process.ts'
import type { ApiProcess } from '../support/process.ts'
import { removeStream } from '../support/queue.ts'

vi.setConfig({ testTimeout: 120_000 })

const database = useDatabase()
const pools = usePools(database)
const server = useModelServer()

afterAll(() => removeStream(processEnv(database())['SUBJECT_PREFIX'] ?? ''))

let up: ApiProcess | undefined
afterEach(async () => {
  await up?.stop()
  up = undefined
})

const NO_MODEL = `@id("no-model")
forbid (principal, action == Concord::Action::"process_document", resource)
when { context.model != "rules" };
`
const KEY = 'model-key-that-nobody-sees'

async function start(settings: Record<string, string> = {}): Promise<ApiProcess> {
  const env = {
    ...processEnv(database()),
    READERS: '1',
    MODEL_URL: server().url,
    MODEL_NAME: 'made-up',
    MODEL_API_KEY: KEY,
    ...settings,
  }
  up = await startApiProcess(env, 'up')
  return up
}

async function openTenant(policy?: string) {
  const tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
  const own = { ...bearer(tenant.key), 'x-tenant-id': tenant.tenantId }
  const call = async (
    path: string,
    { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ) => callApi(`${up?.url}${path}`, { ...init, headers: { ...headers, ...own } })
  if (policy !== undefined)
    await putPolicy({ pools: pools(), policyEngine, auditor }, tenant.caller, null, policy)
  const get = async (documentId: string) =>
    (await call(`/api/scopes/default/documents/${documentId}`)).body as Record<string, unknown>
  const until = (documentId: string, what: string, check: (document: Record<string, unknown>) => boolean) =>
    waitUntil(
      async () => {
        const document = await get(documentId)
        return check(document) ? document : undefined
      },
      { what: `${documentId} ${what}`, withinMs: 60_000, everyMs: 50 },
    )
  return {
    tenant,
    call,
    get,
    until,
    processed: (documentId: string) =>
      until(documentId, 'being processed', ({ status }) => status === 'processed'),
    async send(documentId: string, text: string) {
      const { headers, ...rest } = jsonBody({
        scope_id: 'default',
        name: documentId,
        text,
        document_id: documentId,
      })
      expect((await call('/api/ingest', { ...rest, headers })).status).toBe(202)
    },
  }
}

const about = (requests: readonly ReceivedRequest[], words: string) =>
  requests.filter((request) => isExtraction(request) && textIn(request).includes(words))

const count = async (text: string, values: unknown[]) =>
  Number((await database().superuser.query<{ count: string }>(text, values)).rows[0]?.count)

describe('a worker with a language model', () => {
  it('reads documents with it, reports so, and pays for the same content once', async () => {
    server().behave(extract)
    await start({ METRICS_PORT: String(await freePort()) })
    const { tenant, call, send, processed } = await openTenant()
    await send('a', 'Borealis had 187 employees. It was a good year.')
    const document = await processed('a')
    expect(document['reading']).toMatchObject({
      reader: 'model',
      reader_version: expect.stringMatching(/^served-model\//),
      read: 'whole',
      claims: 1,
      unread: [],
    })
    const { body } = await call('/api/scopes/default/claims')
    expect(body['items']).toMatchObject([{ quote: 'Borealis had 187 employees.', start: 0, end: 27 }])
    await send('b', 'Borealis had 187 employees. It was a good year.')
    await processed('b')
    expect(about(server().requests, '187 employees')).toHaveLength(1)
    expect(server().requests[0]?.authorization).toBe(`Bearer ${KEY}`)
    const usage = await runConcord(
      processEnv(database()),
      'model',
      'usage',
      '--tenant',
      tenant.tenantId,
      '--json',
    )
    expect(JSON.parse(usage.stdout)).toContainEqual({
      day: new Date().toISOString().slice(0, 10),
      step: 'extract',
      model: 'made-up',
      requests: 1,
      input_tokens: 300,
      output_tokens: 21,
    })
    const addresses = [...(up?.output() ?? '').matchAll(/"address":"(http:[^"]+\/metrics)"/g)]
    const shown = (await Promise.all(addresses.map(([, address = '']) => scrape(address)))).flat()
    const extracted = { step: 'extract', outcome: 'answered' }
    expect(total(shown, 'concord_model_requests_total', extracted)).toBe(1)
    expect(total(shown, 'concord_model_stored_answers_total', { step: 'extract' })).toBe(1)
    expect(total(shown, 'concord_model_input_tokens_total', { step: 'extract' })).toBe(300)
    expect(total(shown, 'concord_model_failing')).toBe(0)
    expect(up?.output()).not.toContain(KEY)
    expect(up?.output()).not.toContain('Borealis')
  })

  it('reads by rules if policy does not permit the model', async () => {
    server().behave(extract)
    await start()
    const { send, processed } = await openTenant(NO_MODEL)
    await send('a', 'Revenue for 2020 rose to EUR 12.4m.')
    expect((await processed('a'))['reading']).toMatchObject({ reader: 'rules', read: 'whole' })
    expect(server().requests).toEqual([])
  })

  it('reads again what rules have read, and what the model has read without new requests', async () => {
    server().behave(extract)
    await start()
    const { tenant, call, send, processed, until } = await openTenant(NO_MODEL)
    await send('a', 'Borealis had 641 employees.')
    expect((await processed('a'))['reading']).toMatchObject({ reader: 'rules' })
    await putPolicy({ pools: pools(), policyEngine, auditor }, tenant.caller, null, '')
    const reread = async (body: Record<string, unknown>) => {
      const { headers, ...rest } = jsonBody(body)
      expect((await call('/api/scopes/default/reread', { ...rest, headers })).status).toBe(202)
      return waitUntil(
        async () => {
          const { body: shown } = await call('/api/scopes/default/reread')
          return shown['state'] === 'ended' && shown
        },
        { what: 'the end of the reread', withinMs: 60_000, everyMs: 50 },
      )
    }
    expect(await reread({})).toMatchObject({ documents_queued: 1, documents_read: 1 })
    const again = await until('a', 'being read by the model', ({ status }) => status === 'processed')
    expect(again).toMatchObject({ version: 1, reading: { reader: 'model', claims: 1, read: 'whole' } })
    expect(await reread({ document_ids: ['a'] })).toMatchObject({ documents_queued: 1 })
    expect(about(server().requests, '641 employees')).toHaveLength(1)
    expect(await reread({})).toMatchObject({ documents_queued: 0 })
  })

  it('reports a passage as unread if the answer is invalid', async () => {
    server().behave(answerWith('The figures are fine.'))
    await start()
    const { send, processed } = await openTenant()
    await send('a', 'Borealis had 187 employees.')
    const { reading } = await processed('a')
    expect(reading).toMatchObject({
      reader: 'model',
      read: 'none',
      claims: 0,
      unread: [{ reason: 'failed' }],
    })
    // Asked twice, and no more.
    expect(about(server().requests, '187 employees')).toHaveLength(2)
  })

  it('waits for an unavailable model without using up attempts, shows that, and continues when it is back', async () => {
    await start()
    await server().leave()
    const { key: operator } = await makeRootKey(pools(), 'internals')
    const health = async () =>
      (await callApi(`${up?.url}/internals/kernel/health`, { headers: bearer(operator) })).body
    const { send, until, processed } = await openTenant()
    await send('a', 'Borealis had 203 employees.')
    const waiting = await until(
      'a',
      'waiting for the model',
      (document) => document['waiting_for'] === 'model',
    )
    expect(waiting).toMatchObject({
      status: 'queued',
      attempt: 0,
      waiting_reason: 'unreachable',
      error: null,
    })
    const unwell = await waitUntil(
      async () => {
        const body = await health()
        return body['status'] === 'degraded' ? body : undefined
      },
      { what: 'health naming the model', withinMs: 20_000, everyMs: 100 },
    )
    expect(unwell['moving']).toBe(true)
    expect(unwell['probes']).toContainEqual(expect.objectContaining({ name: 'model', ok: false }))
    server().behave(extract)
    await server().comeBack()
    expect(await processed('a')).toMatchObject({ attempt: 1, waiting_for: null, waiting_reason: null })
    await waitUntil(async () => (await health())['status'] === 'ok', { what: 'health', withinMs: 20_000 })
  })

  it('retries a busy model at the time that it names', async () => {
    let refused = 0
    server().behave((request, response) => {
      refused += 1
      if (refused <= 2) return failWith(429, { 'retry-after': '1' })(request, response)
      extract(request, response)
    })
    await start()
    const { send, processed } = await openTenant()
    await send('a', 'Borealis had 12 sites.')
    expect(await processed('a')).toMatchObject({ attempt: 1, reading: { reader: 'model', claims: 1 } })
  })

  it('does not exceed the budget of a tenant by more than one request', async () => {
    server().behave(extract)
    await start({ MODEL_TOKENS_PER_DAY: '600' })
    const { send, get, until, tenant } = await openTenant()
    const other = await openTenant()
    for (const name of ['a', 'b', 'c', 'd'])
      await send(name, `Borealis had 1${name.charCodeAt(0)} employees in ${name}.`)
    await until('d', 'being over', () => true)
    await waitUntil(
      async () => {
        const all = await Promise.all(['a', 'b', 'c', 'd'].map(get))
        const waiting = all.filter((each) => each['waiting_reason'] === 'over_budget')
        return (
          all.filter(({ status }) => status === 'processed').length + waiting.length === 4 &&
          waiting.length === 2
        )
      },
      { what: 'two documents waiting for the budget', withinMs: 60_000, everyMs: 100 },
    )
    const used = await count('select used as count from model_spending where tenant_id = $1', [
      tenant.tenantId,
    ])
    expect(used).toBeGreaterThanOrEqual(600)
    expect(used).toBeLessThan(600 + 2 * 321)
    await other.send('a', 'Borealis had 9 employees.')
    await other.processed('a')
  })

  it('does not pay again for an answer that came before the worker was killed', async () => {
    const sections = ['north', 'south'].map((name) => {
      const filler = `The ${name} office is a place where people work on many things every day. `.repeat(120)
      return `# The ${name}\n\n${filler}\n\nThe ${name} office had 5${name.length} employees.`
    })
    let hangs = true
    server().behave((request, response) => {
      if (hangs && textIn(request).includes('south office had')) return
      extract(request, response)
    })
    const first = await start()
    const { send, processed, tenant } = await openTenant()
    await send('a', sections.join('\n\n'))
    const answers = () => count('select count(*) from model_answers where tenant_id = $1', [tenant.tenantId])
    const asked = () => about(server().requests, ' office ')
    // Windows are asked about one after the other as well: only a number that stays is that of all of them.
    let seen = 0
    const isStored = async () => {
      const before = seen
      seen = asked().length
      return seen > 1 && seen === before && (await answers()) === seen - 1
    }
    await waitUntil(isStored, { what: 'all answers but one being stored', withinMs: 30_000, everyMs: 1_000 })
    first.signal('SIGKILL')
    await first.exited
    hangs = false
    await start()
    expect((await processed('a'))['reading']).toMatchObject({ reader: 'model', read: 'whole', claims: 2 })
    const texts = asked().map(textIn)
    const askedTwice = texts.filter((text, at) => texts.indexOf(text) < at)
    expect(askedTwice.every((text) => text.includes('south office had'))).toBe(true)
  })

  it('has 200 requests in flight at the same time', async () => {
    const held: (() => void)[] = []
    server().behave((request, response) => {
      held.push(() => sendJson(response, 200, completion(extractionOf(textIn(request)))))
    })
    await start()
    const { send, processed, tenant } = await openTenant()
    await Promise.all(
      Array.from({ length: 210 }, (_, no) => send(`d${no}`, `Site ${no} had ${no} employees.`)),
    )
    await waitUntil(() => held.length >= 200, {
      what: '200 requests in flight',
      withinMs: 60_000,
      everyMs: 50,
    })
    const other = await openTenant(NO_MODEL)
    await other.send('a', 'Revenue for 2020 rose to EUR 12.4m.')
    expect((await other.processed('a'))['reading']).toMatchObject({ reader: 'rules' })
    server().behave(extract)
    for (const answer of held) answer()
    await processed('d0')
    await waitUntil(
      async () =>
        (await count(`select count(*) from documents where tenant_id = $1 and status = 'processed'`, [
          tenant.tenantId,
        ])) === 210,
      { what: 'all documents', withinMs: 60_000, everyMs: 100 },
    )
  })

  it('returns documents that wait for the model at once when it stops', async () => {
    server().behave(() => undefined)
    const first = await start()
    const { send, tenant } = await openTenant()
    await send('a', 'Borealis had 77 employees.')
    await waitUntil(() => about(server().requests, '77').length === 1, {
      what: 'the request',
      withinMs: 30_000,
    })
    const began = performance.now()
    await first.stop()
    expect(performance.now() - began).toBeLessThan(10_000)
    const { rows } = await database().superuser.query(
      `select w.state, w.attempt, w.waiting_reason, w.not_before <= now() as due, d.status
         from work w join documents d using (tenant_id, scope_id, document_id) where tenant_id = $1`,
      [tenant.tenantId],
    )
    expect(rows).toEqual([{ state: 'queued', attempt: 0, waiting_reason: null, due: true, status: 'queued' }])
  })

  it('is looked at by the doctor', async () => {
    const doctor = async () => {
      const settings = {
        MODEL_URL: server().url,
        MODEL_NAME: 'made-up',
        MODEL_API_KEY: KEY,
        MODEL_TIMEOUT_MS: '500',
      }
      const { stdout, output } = await runConcord(
        { ...processEnv(database()), ...settings },
        'doctor',
        '--json',
      )
      expect(output).not.toContain(KEY)
      const { checks } = JSON.parse(stdout) as { checks: { name: string; found: string }[] }
      return checks.find(({ name }) => name === 'model')
    }
    server().behave(answerWith('{"colour":"green"}'))
    expect(await doctor()).toMatchObject({ found: 'served-model answers, for 321 tokens a small question' })
    server().behave(answerWith('green'))
    expect(await doctor()).toMatchObject({ found: 'its answer is not of the form that was asked for' })
    server().behave(() => undefined)
    expect(await doctor()).toMatchObject({ found: 'no answer: timeout' })
  })
})

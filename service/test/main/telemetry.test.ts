/** Tests the metrics and traces of real processes: figures that are true and tell of nobody, and traces from the request to the worker. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort, waitUntil } from '@concord/tools/launch'
import type { Child } from '@concord/tools/launch'
import { bearer, callApi, jsonBody } from '../support/api.ts'
import { startCollector } from '../support/collector.ts'
import type { CollectedSpan, Collector } from '../support/collector.ts'
import { useDatabase } from '../support/database.ts'
import { look } from '../support/documents.ts'
import { scrape, total } from '../support/metrics.ts'
import type { Shown } from '../support/metrics.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, startApiProcess, startKernelProcess } from '../support/process.ts'
import type { ApiProcess } from '../support/process.ts'
import { figuresIn, groupsIn, isBalanced, labelsIn, readDashboard, readRules } from '../support/queries.ts'
import type { Query } from '../support/queries.ts'
import { removeStream } from '../support/queue.ts'
import { openStream } from '../support/streams.ts'

// Four processes are started.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const database = useDatabase()
const pools = usePools(database)
const SCOPE = 'telemetry-scope'
const CANARY = 'Heliotrope'
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const CALLER_SPAN = 'b7ad6b7169203331'

let tenant: TestTenant
let collector: Collector
let api: ApiProcess
let dispatcher: Child
let worker: Child
let hatchery: Child
let modelWorker: Child
let shownOfModel: Shown[]
let stream: Awaited<ReturnType<typeof openStream>>
let shown: Record<'api' | 'dispatcher' | 'worker' | 'hatchery', Shown[]>

const own = () => ({ ...bearer(tenant.key), 'x-tenant-id': tenant.tenantId })

const send = (path: string, body: unknown, more: Readonly<Record<string, string>> = {}) => {
  const { headers, ...rest } = jsonBody(body)
  return callApi(api.url + path, { ...rest, headers: { ...headers, ...own(), ...more } })
}

const document = (documentId: string, scopeId = SCOPE) => ({
  scope_id: scopeId,
  name: `${CANARY} name`,
  text: `${CANARY} was signed in Geneva.`,
  document_id: documentId,
})

/** Where a process says that its figures are. */
function metricsOf(child: Child): string {
  const [, address] = /"address":"(http:[^"]+\/metrics)"/.exec(child.output()) ?? []
  if (address === undefined) throw new Error(`It shows no metrics:\n${child.output()}`)
  return address
}

const processed = async () =>
  (
    await look(database(), `select from documents where tenant_id = $1 and status = 'processed'`, [
      tenant.tenantId,
    ])
  ).length

beforeAll(async () => {
  collector = await startCollector()
  const env = {
    ...processEnv(database()),
    READERS: '1',
    // The same for all three, as on a host of an operator.
    METRICS_PORT: String(await freePort()),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    TRACES_PER_SECOND: '1000',
    DRAIN_NOTICE_SECONDS: '0',
  }
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, SCOPE)
  api = await startApiProcess(env)
  dispatcher = await startKernelProcess(env, 'dispatcher')
  worker = await startKernelProcess(env, 'worker')
  stream = await openStream(`${api.url}/api/scopes/${SCOPE}/events?after=0`, own())
  const traceparent = `00-${TRACE_ID}-${CALLER_SPAN}-01`
  await send('/api/ingest', document('followed'), { traceparent, 'x-request-id': 'request-1' })
  await send('/api/ingest', document('followed'))
  await send('/api/ingest', document('lost', 'nowhere'))
  await send('/api/ingest/batch', { documents: [document('vellum-1'), document('vellum-2')] })
  await callApi(`${api.url}/nothing/${SCOPE}`)
  await callApi(`${api.url}/api/scopes`)
  await waitUntil(async () => (await processed()) === 3, {
    what: 'three processed documents',
    withinMs: 30_000,
  })
  // Only now, so that it hatches nobody who would take a part of the work.
  hatchery = await startKernelProcess({ ...env, HATCHERY_MIN: '0', HATCHERY_MAX: '1' }, 'hatchery')
  // A heartbeat of each was sent, and heard.
  await waitUntil(async () => total(await scrape(metricsOf(api)), 'concord_processes_alive') === 2, {
    what: 'both being heard',
    withinMs: 15_000,
  })
  shown = {
    api: await scrape(metricsOf(api)),
    dispatcher: await scrape(metricsOf(dispatcher)),
    worker: await scrape(metricsOf(worker)),
    hatchery: await scrape(metricsOf(hatchery)),
  }
  // It has nothing to do, so nobody is asked.
  const model = { MODEL_URL: `http://127.0.0.1:${await freePort()}/v1`, MODEL_NAME: 'made-up' }
  modelWorker = await startKernelProcess({ ...env, ...model }, 'worker')
  shownOfModel = await scrape(metricsOf(modelWorker))
})
afterAll(async () => {
  await stream.close()
  await Promise.all([api, dispatcher, worker, hatchery, modelWorker].map((child) => child.stop()))
  await collector.close()
  await removeStream(processEnv(database())['SUBJECT_PREFIX'] ?? '')
})

describe('the figures of the api', () => {
  it('count requests by operation and class of status', () => {
    const requests = (operation: string, status: string) =>
      total(shown.api, 'concord_requests_total', { operation, status })
    expect(requests('ingestDocument', '2xx')).toBe(2)
    expect(requests('ingestDocument', '4xx')).toBe(1)
    expect(requests('ingestDocument', '5xx')).toBe(0)
    expect(requests('ingestBatch', '2xx')).toBe(1)
    expect(requests('listOwnScopes', '4xx')).toBe(1)
    expect(requests('none', '4xx')).toBe(1)
    expect(total(shown.api, 'concord_request_duration_seconds_count', { operation: 'ingestDocument' })).toBe(
      3,
    )
    expect(
      total(shown.api, 'concord_request_duration_seconds_bucket', { operation: 'ingestDocument', le: '10' }),
    ).toBe(3)
  })

  it('count documents by outcome, and the statements that accepted them', () => {
    const documents = (outcome: string) => total(shown.api, 'concord_ingest_documents_total', { outcome })
    expect([documents('accepted'), documents('replayed'), documents('refused')]).toEqual([3, 1, 1])
    expect(total(shown.api, 'concord_flush_documents_sum')).toBe(4)
    expect(total(shown.api, 'concord_flush_duration_seconds_count')).toBe(
      total(shown.api, 'concord_flush_documents_count'),
    )
  })

  it('tell of open streams and of those who are heard', () => {
    expect(total(shown.api, 'concord_event_streams')).toBe(1)
    for (const role of ['worker', 'dispatcher']) {
      expect(total(shown.api, 'concord_processes_alive', { role })).toBe(1)
      expect(total(shown.api, 'concord_heartbeat_silence_seconds', { role })).toBeLessThan(10)
    }
  })

  it('are not on the public listener', async () => {
    expect((await callApi(`${api.url}/metrics`)).status).toBe(404)
  })
})

describe('the figures of the kernel', () => {
  it('count dispatched work, and have the state of the backlog', () => {
    expect(total(shown.dispatcher, 'concord_work_released_total')).toBe(3)
    expect(total(shown.dispatcher, 'concord_work_recalled_total')).toBe(0)
    expect(total(shown.dispatcher, 'concord_shards_held')).toBe(4)
    expect(total(shown.dispatcher, 'concord_work_waiting')).toBe(0)
    expect(total(shown.dispatcher, 'concord_oldest_queued_age_seconds')).toBe(0)
    expect(total(shown.dispatcher, 'concord_dispatcher_lag_seconds')).toBeLessThan(5)
    expect(total(shown.dispatcher, 'concord_heartbeats_sent_total', { role: 'dispatcher' })).toBeGreaterThan(
      0,
    )
  })

  it('count attempts by end, and how long reading took', () => {
    const attempts = (end: string) => total(shown.worker, 'concord_attempts_total', { end })
    expect(attempts('processed')).toBe(3)
    for (const end of ['failed', 'retried', 'stale', 'exhausted', 'paused', 'abandoned'])
      expect(attempts(end)).toBe(0)
    expect(total(shown.worker, 'concord_attempt_failures_total', { stage: 'read' })).toBe(0)
    expect(total(shown.worker, 'concord_reading_duration_seconds_count')).toBe(3)
    expect(total(shown.worker, 'concord_attempt_duration_seconds_count')).toBe(3)
    expect(total(shown.worker, 'concord_work_in_flight')).toBe(0)
    expect(total(shown.worker, 'concord_sandbox_children')).toBeGreaterThan(0)
    expect(total(shown.worker, 'concord_heartbeats_sent_total', { role: 'worker' })).toBeGreaterThan(0)
  })

  it('are each at an address of its own, with the name of its process', () => {
    const addresses = new Set([api, dispatcher, worker, hatchery].map(metricsOf))
    expect(addresses.size).toBe(4)
    for (const [name, figures] of Object.entries(shown)) {
      expect(total(figures, 'concord_process_resident_memory_bytes', { process: name })).toBeGreaterThan(1e7)
      expect(total(figures, 'concord_event_loop_delay_seconds_count', { process: name })).toBeGreaterThan(0)
    }
  })
})

describe('the figures of a hatchery', () => {
  it('say how many workers it has', () => {
    expect(total(shown.hatchery, 'concord_hatchery_workers', { state: 'running' })).toBeDefined()
    expect(total(shown.hatchery, 'concord_hatchery_changes_total', { change: 'lost' })).toBe(0)
  })
})

describe('every figure', () => {
  const all = () => [...Object.values(shown).flat(), ...shownOfModel]

  it('has labels of a closed set, without any tenant, scope, document or word of a request', () => {
    const values = new Set(all().flatMap(({ labels }) => Object.values(labels)))
    const told = [
      tenant.tenantId,
      tenant.prefix,
      tenant.keyId,
      SCOPE,
      'nowhere',
      'followed',
      'vellum',
      CANARY,
      'request-1',
    ]
    for (const value of values)
      for (const secret of told) expect(value.toLowerCase()).not.toContain(secret.toLowerCase())
    for (const value of values) expect(value).toMatch(/^(?:[A-Za-z_]{1,40}|[1-5]xx|[0-9.]+|\+Inf)$/)
  })

  it('that deploy/ asks for exists, with the labels it is picked and grouped by', async () => {
    const { panels } = await readDashboard()
    const { rules, written } = await readRules()
    expect(rules).toHaveLength(written)
    const ofPanels = panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }): Query => ({ where: title, expr })),
    )
    expect(ofPanels.length).toBeGreaterThan(30)
    const names = new Set(all().map(({ name }) => name))
    const missing: string[] = []
    for (const { where, expr } of [...ofPanels, ...rules]) {
      if (!isBalanced(expr)) missing.push(`${where}: ${expr} is not closed`)
      const figures = figuresIn(expr)
      for (const figure of figures) if (!names.has(figure)) missing.push(`${where}: ${figure}`)
      const labelled = all().filter(({ name }) => figures.includes(name))
      for (const label of groupsIn(expr))
        if (!labelled.some(({ labels }) => label in labels)) missing.push(`${where}: grouped by ${label}`)
      for (const { figure, label, values } of labelsIn(expr))
        for (const value of values)
          if (total(all(), figure, { [label]: value }) === undefined)
            missing.push(`${where}: ${figure}{${label}="${value}"}`)
    }
    expect(missing).toEqual([])
  })

  it('that is about work, requests and processes is shown by deploy/', async () => {
    const { panels } = await readDashboard()
    const asked = figuresIn(panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join(' '))
    const base = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '')
    const known = new Set(
      all()
        .map(({ name }) => base(name))
        .filter((name) => name.startsWith('concord_')),
    )
    expect([...known].filter((name) => !asked.map(base).includes(name))).toEqual([])
  })
})

describe('the alert rules', () => {
  it('cover every condition that needs an operator at once', async () => {
    const { rules } = await readRules()
    const expressions = rules.map(({ expr }) => expr).join('\n')
    for (const figure of [
      'concord_oldest_queued_age_seconds',
      'concord_attempt_failures_total',
      'concord_dispatcher_lag_seconds',
      'concord_audit_unchained_age_seconds',
      'concord_comparison_oldest_age_seconds',
      'concord_heartbeat_silence_seconds',
      'concord_requests_total{status="5xx"}',
      'concord_process_start_time_seconds',
    ])
      expect(expressions).toContain(figure)
    expect(expressions).toContain('by (stage)')
    expect(new Set(rules.map(({ severity }) => severity))).toEqual(new Set(['warning', 'critical']))
  })
})

describe('the dashboard', () => {
  it('has panels that do not lie on each other', async () => {
    const { panels } = await readDashboard()
    const overlap = (a: (typeof panels)[number]['gridPos'], b: typeof a) =>
      a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
    const pairs = panels.flatMap((a, index) => panels.slice(index + 1).map((b) => [a, b] as const))
    expect(pairs.filter(([a, b]) => overlap(a.gridPos, b.gridPos))).toEqual([])
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  })
})

describe('the trace of a request', () => {
  const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId)
  const named = (spans: readonly CollectedSpan[], name: string) =>
    spans.find((span) => span.name === name) ?? expect.fail(`no span ${name} in ${JSON.stringify(spans)}`)

  it('spans its caller, the commit, the attempt of the worker and its steps', async () => {
    await waitUntil(() => spansOf(TRACE_ID).length >= 6, { what: 'six spans', withinMs: 15_000 })
    const spans = spansOf(TRACE_ID)
    const request = named(spans, 'ingestDocument')
    expect(request).toMatchObject({
      service: 'concord-api',
      parentSpanId: CALLER_SPAN,
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 202,
        'concord.request_id': 'request-1',
      },
    })
    expect(named(spans, 'commit').parentSpanId).toBe(request.spanId)
    const attempt = named(spans, 'attempt')
    expect(attempt).toMatchObject({
      service: 'concord-worker',
      parentSpanId: request.spanId,
      attributes: { 'concord.end': 'processed' },
    })
    const steps = ['claim', 'read', 'settle'].map((name) => named(spans, name))
    for (const step of steps) expect(step.parentSpanId).toBe(attempt.spanId)
    expect(spans).toHaveLength(6)
    // One after the other, all within the attempt.
    const moments = [
      attempt.startMs,
      ...steps.flatMap(({ startMs, endMs }) => [startMs, endMs]),
      attempt.endMs,
    ]
    expect(moments).toEqual(moments.toSorted((a, b) => a - b))
    expect(attempt.startMs).toBeGreaterThan(request.startMs)
  })

  it('that came without one is a new one, for the batch with both its documents', async () => {
    const batch = () => collector.spans.find(({ name }) => name === 'ingestBatch')
    const attempts = () =>
      collector.spans.filter(({ name, traceId }) => name === 'attempt' && traceId === batch()?.traceId)
    await waitUntil(() => attempts().length === 2, { what: 'two attempts', withinMs: 15_000 })
    expect(batch()?.parentSpanId).toBeUndefined()
  })

  it('is of no event stream and of no stranger', () => {
    const names = new Set(collector.spans.map(({ name }) => name))
    expect(names).not.toContain('streamOwnScopeEvents')
    // Its authentication failed.
    expect(names).not.toContain('listOwnScopes')
  })

  it('has no tenant, scope, document or content of a request', () => {
    expect(collector.text()).toContain(TRACE_ID)
    for (const secret of [tenant.tenantId, tenant.key, tenant.prefix, SCOPE, 'followed', 'vellum-1', CANARY])
      expect(collector.text()).not.toContain(secret)
  })

  it('is forgotten in the database once the document is at its end', async () => {
    const left = () => look(database(), 'select from work_traces')
    await waitUntil(async () => (await left()).length === 0, { what: 'no trace being left' })
    expect(await left()).toEqual([])
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort, waitUntil } from '@concord/tools/launch'
import { parseTraceparent } from '../../src/platform/tracing.ts'
import type { Trace } from '../../src/platform/tracing.ts'
import { createTracing } from '../../src/telemetry/tracing.ts'
import type { RunningTracing } from '../../src/telemetry/tracing.ts'
import { startCollector } from '../support/collector.ts'
import type { Collector } from '../support/collector.ts'
import { createMemoryLog } from '../support/log.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'
const SAMPLED = `00-${TRACE_ID}-${SPAN_ID}-01`

let collector: Collector
let tracing: RunningTracing
let log: ReturnType<typeof createMemoryLog>

const open = (perSecond: number, endpoint = collector.endpoint) =>
  createTracing({ endpoint, perSecond, process: 'test', version: '1.2.3', log: log.log })

beforeEach(async () => {
  log = createMemoryLog()
  collector = await startCollector()
  tracing = open(100)
})
afterEach(async () => {
  await tracing.stop()
  await collector.close()
})

const begin = (traceparent?: string): Trace =>
  tracing.begin('ingestDocument', traceparent, performance.now()) ?? expect.fail('it is not followed')

const untilSpans = (count: number) =>
  waitUntil(() => collector.spans.length >= count, { what: `${count} spans`, withinMs: 10_000 })

const spanOf = (name: string) =>
  collector.spans.find((span) => span.name === name) ?? expect.fail(`no span ${name}`)

describe('a followed request', () => {
  it('joins the trace of its caller, and its steps and what it leads to join it', async () => {
    const request = begin(SAMPLED)
    const startMs = performance.now()
    request.step('commit', startMs, startMs + 5, { 'concord.documents': 1 })
    request.end(startMs + 10, { 'http.response.status_code': 202 })
    const attempt = tracing.join('attempt', request.traceparent, startMs + 20)
    attempt?.end(startMs + 30, { 'concord.end': 'processed' })
    await untilSpans(3)
    expect(spanOf('ingestDocument')).toMatchObject({
      traceId: TRACE_ID,
      parentSpanId: SPAN_ID,
      service: 'concord-test',
      attributes: { 'http.response.status_code': 202 },
    })
    const { spanId } = spanOf('ingestDocument')
    expect(spanOf('commit')).toMatchObject({
      traceId: TRACE_ID,
      parentSpanId: spanId,
      attributes: { 'concord.documents': 1 },
    })
    expect(spanOf('attempt')).toMatchObject({ traceId: TRACE_ID, parentSpanId: spanId })
    expect(spanOf('commit').endMs - spanOf('commit').startMs).toBeCloseTo(5, 1)
  })

  it('begins a trace of its own when none is sent, or one that makes no sense', async () => {
    begin().end(performance.now(), {})
    begin('00-nonsense').end(performance.now(), {})
    await untilSpans(2)
    for (const span of collector.spans) expect(span.parentSpanId).toBeUndefined()
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(2)
  })
})

describe('what is followed', () => {
  it('is nothing that the caller does not want followed', () => {
    expect(tracing.begin('x', `00-${TRACE_ID}-${SPAN_ID}-00`, performance.now())).toBeUndefined()
  })

  it('is bounded a second, apart for those whose callers want it and for the others', async () => {
    const few = open(2)
    const followed = (traceparent: string | undefined, atMs: number) =>
      [1, 2, 3].map(() => few.begin('x', traceparent, atMs) !== undefined)
    expect(followed(SAMPLED, 1_000)).toEqual([true, true, false])
    expect(followed(undefined, 1_500)).toEqual([true, true, false])
    expect(followed(SAMPLED, 2_000)).toEqual([true, true, false])
    await few.stop()
  })

  it('is nothing at all by a traceparent that is none', () => {
    expect(tracing.join('attempt', 'nonsense', performance.now())).toBeUndefined()
  })
})

describe('a collector that is away', () => {
  it('costs the spans, which are counted and said once', async () => {
    const refusing = await startCollector(400)
    const unlucky = open(100, refusing.endpoint)
    const read = async (name: string) => {
      const metric = unlucky.metrics.find((each) => each.name === name)
      return metric?.kind === 'counter' ? (await metric.read())[0]?.value : undefined
    }
    unlucky.begin('x', undefined, performance.now())?.end(performance.now(), {})
    await waitUntil(async () => (await read('concord_spans_lost')) === 1, {
      what: 'a lost span',
      withinMs: 10_000,
    })
    expect(await read('concord_spans_sent')).toBe(0)
    expect(log.text()).toContain('work is not affected')
    await unlucky.stop()
    await refusing.close()
  })

  it('is no reason to fail when the process stops', async () => {
    const unlucky = open(100, `http://127.0.0.1:${await freePort()}`)
    unlucky.begin('x', undefined, performance.now())?.end(performance.now(), {})
    await expect(unlucky.stop()).resolves.toBeUndefined()
    expect(log.text()).toContain('ECONNREFUSED')
  })
})

describe('a traceparent', () => {
  it.each([
    [SAMPLED, { traceId: TRACE_ID, spanId: SPAN_ID, sampled: true }],
    [`00-${TRACE_ID}-${SPAN_ID}-00`, { traceId: TRACE_ID, spanId: SPAN_ID, sampled: false }],
    // A header of a later version, which may say more.
    [`cc-${TRACE_ID}-${SPAN_ID}-01-more`, { traceId: TRACE_ID, spanId: SPAN_ID, sampled: true }],
    [`00-${TRACE_ID}-${SPAN_ID}-01-more`, undefined],
    [`ff-${TRACE_ID}-${SPAN_ID}-01`, undefined],
    [`00-${'0'.repeat(32)}-${SPAN_ID}-01`, undefined],
    [`00-${TRACE_ID}-${'0'.repeat(16)}-01`, undefined],
    [`00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`, undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s is read by the rules of W3C', (header, expected) => {
    expect(parseTraceparent(header)).toEqual(expected)
  })
})

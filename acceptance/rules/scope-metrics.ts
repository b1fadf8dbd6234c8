/** A scope over time: each thing in its point, points without gaps, and clear words for what cannot be asked. */
import type { AnswerOf, operations } from '@concord/contract'
import { describe, expect, it } from 'vitest'
import type { Subject } from '../subject.ts'
import { ingest, register, untilAllEnded } from '../world/documents.ts'
import { make } from '../world/making.ts'
import { asAdminOf, createScope, createTenant } from '../world/tenants.ts'
import type { Tenant } from '../world/tenants.ts'
import type { AskOf } from './scope-summaries.ts'

type Metrics = AnswerOf<typeof operations.getScopeMetrics>['body']

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const widths = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '1d': DAY_MS,
}

const instant = (ms: number) => new Date(ms).toISOString()

export function describeMetrics(subject: Subject, ask: AskOf): void {
  const read = async (tenant: Tenant, scopeId: string, query?: string) => {
    const call = { ...ask(tenant, scopeId), ...(query !== undefined && { query }) }
    return subject.expectForm(await subject.call(call), 200) as Metrics
  }
  describePoints(subject, read)
  describeFigures(subject, read)
  describeRefusals(subject, ask)
}

type Read = (tenant: Tenant, scopeId: string, query?: string) => Promise<Metrics>

/** A scope with nothing in it. */
async function emptyScope() {
  const tenant = await createTenant()
  const { scope_id: scopeId } = await createScope(tenant)
  return { tenant, scopeId }
}

function expectWhole({ from, to, points }: Metrics, width: number): void {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  expect([first % width, last % width]).toEqual([0, 0])
  const expected = Array.from({ length: (last - first) / width }, (_, at) => instant(first + at * width))
  expect(points.map(({ at }) => at)).toEqual(expected)
}

function describePoints({ operation: { name } }: Subject, read: Read): void {
  describe(`${name}: 200`, () => {
    it('shows the last hour by the minute when nothing is said', async () => {
      const { tenant, scopeId } = await emptyScope()
      const metrics = await read(tenant, scopeId)
      expect(metrics).toMatchObject({ scope_id: scopeId, step: '1m' })
      expect([60, 61]).toContain(metrics.points.length)
      expectWhole(metrics, MINUTE_MS)
      const contradictions = { opened: 0, resolved: 0, dismissed: 0, reopened: 0 }
      const spans = { queue_wait_ms: null, processing_ms: null }
      const none = { accepted: 0, processed: 0, failed: 0, ...spans, contradictions, convergence: null }
      expect(metrics.points).toEqual(metrics.points.map(({ at }) => ({ at, ...none })))
    })

    it.each(['%2B01:00', '+01:00', '-00:30'])('reads an instant with the offset %s', async (offset) => {
      const { tenant, scopeId } = await emptyScope()
      const query = `step=15m&from=2026-11-15T09:30:00${offset}&to=2026-11-15T10:30:00${offset}`
      const zone = offset.replace('%2B', '+')
      const { from, to } = await read(tenant, scopeId, query)
      expect([from, to].map((each) => Date.parse(each))).toEqual([
        Date.parse(`2026-11-15T09:30:00${zone}`),
        Date.parse(`2026-11-15T10:30:00${zone}`),
      ])
    })

    it.each(Object.entries(widths))('has whole points of %s', async (step, width) => {
      const { tenant, scopeId } = await emptyScope()
      const from = Date.now() - 7 * width - 1_234
      const metrics = await read(tenant, scopeId, `step=${step}&from=${instant(from)}`)
      expect(metrics.points.length).toBeGreaterThanOrEqual(8)
      expect(metrics.points.length).toBeLessThanOrEqual(9)
      expectWhole(metrics, width)
      expect(Date.parse(metrics.from)).toBeLessThanOrEqual(from)
    })

    it('ends with the point that has not ended, however late the end is set', async () => {
      const { tenant, scopeId } = await emptyScope()
      const metrics = await read(tenant, scopeId, 'to=2999-01-01T00:00:00Z')
      expect(Date.parse(metrics.to)).toBeLessThan(Date.now() + 2 * MINUTE_MS)
    })

    it('takes a thousand points', async () => {
      const { tenant, scopeId } = await emptyScope()
      const to = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
      const query = `from=${instant(to - 1_000 * MINUTE_MS)}&to=${instant(to)}`
      expect((await read(tenant, scopeId, query)).points).toHaveLength(1_000)
    })
  })
}

function sum({ points }: Metrics): number[] {
  return (['accepted', 'processed', 'failed'] as const).map((of) =>
    points.reduce((all, point) => all + point[of], 0),
  )
}

function describeFigures({ operation: { name } }: Subject, read: Read): void {
  describe(`${name}: figures`, () => {
    it('counts what was accepted and what became of it, the same by every step', async () => {
      const { tenant, scopeId } = await emptyScope()
      await register(tenant, scopeId)
      for (let times = 0; times < 4; times += 1) await ingest(tenant, scopeId)
      await untilAllEnded(tenant, scopeId)
      for (const step of Object.keys(widths)) {
        const metrics = await read(tenant, scopeId, `step=${step}`)
        expect([step, sum(metrics)]).toEqual([step, [4, 4, 0]])
      }
    })

    it('tells how long documents waited and took, where some did', async () => {
      const { tenant, scopeId } = await emptyScope()
      for (let times = 0; times < 3; times += 1) await ingest(tenant, scopeId)
      await untilAllEnded(tenant, scopeId)
      const { points } = await read(tenant, scopeId, 'step=1d')
      const seen = points.flatMap(({ queue_wait_ms: waits, processing_ms: takes }) => [waits, takes])
      const told = seen.filter((each) => each !== null)
      expect(told.length).toBeGreaterThanOrEqual(2)
      for (const { p50, p90, p99 } of told) {
        expect(p50).toBeGreaterThan(0)
        expect([p50, p90, p99].toSorted((a, b) => a - b)).toEqual([p50, p90, p99])
        expect(p99).toBeLessThan(60_000)
      }
    })

    it('tells how settled the scope was when each point ended', async () => {
      const { tenant, scopeId } = await emptyScope()
      await ingest(tenant, scopeId)
      await untilAllEnded(tenant, scopeId)
      const call = { headers: asAdminOf(tenant), params: { scopeId } }
      const { convergence } = await make('getScopeSummary', call)
      for (const step of Object.keys(widths)) {
        const { points } = await read(tenant, scopeId, `step=${step}`)
        const last = points.at(-1)?.convergence
        expect(last?.state).toBe(convergence.state)
        expect(last?.score).toBeCloseTo(convergence.score, 1)
        expect(points.filter((point) => point.convergence !== null).length).toBeLessThanOrEqual(3)
      }
    })

    it('has nothing to tell of before, nor of before a reset', async () => {
      const { tenant, scopeId } = await emptyScope()
      await ingest(tenant, scopeId)
      await untilAllEnded(tenant, scopeId)
      const old = Date.now() - 3 * DAY_MS
      const before = `step=1h&from=${instant(old)}&to=${instant(old + DAY_MS)}`
      expect(sum(await read(tenant, scopeId, before))).toEqual([0, 0, 0])
      await make('resetScope', { headers: asAdminOf(tenant), params: { scopeId } })
      expect(sum(await read(tenant, scopeId, 'step=1d'))).toEqual([0, 0, 0])
    })

    it('is of one scope of one tenant alone', async () => {
      const [mine, theirs] = [await emptyScope(), await createTenant()]
      await createScope(theirs, mine.scopeId)
      await createScope(mine.tenant, 'neighbour')
      await ingest(mine.tenant, mine.scopeId)
      expect(sum(await read(theirs, mine.scopeId))).toEqual([0, 0, 0])
      expect(sum(await read(mine.tenant, 'neighbour'))).toEqual([0, 0, 0])
      expect(sum(await read(mine.tenant, mine.scopeId))[0]).toBe(1)
    })
  })
}

function describeRefusals(subject: Subject, ask: AskOf): void {
  const now = Date.now()
  describe(`${subject.operation.name}: 422`, () => {
    it.each([
      ['a step that is none', 'step=7m', 'step', 'not_allowed'],
      ['a step without unit', 'step=60', 'step', 'not_allowed'],
      ['no instant', 'from=yesterday', 'from', 'invalid'],
      ['an instant without zone', 'to=2026-11-15T09:30:00', 'to', 'invalid'],
      ['a parameter that is not known', 'until=2026-11-15T09:30:00Z', 'until', 'unknown_property'],
      ['a beginning in the future', `from=${instant(now + DAY_MS)}`, 'from', 'not_before_to'],
      [
        'a beginning after the end',
        `from=${instant(now - MINUTE_MS)}&to=${instant(now - 2 * MINUTE_MS)}`,
        'from',
        'not_before_to',
      ],
      ['more than a thousand points', `from=${instant(now - 1_002 * MINUTE_MS)}`, 'step', 'too_many_points'],
      ['the beginning of time', 'from=0000-01-01T00:00:00Z&step=1d', 'step', 'too_many_points'],
      [
        'minutes of long ago',
        `from=${instant(now - 9 * DAY_MS)}&to=${instant(now - 9 * DAY_MS + MINUTE_MS)}`,
        'from',
        'too_long_ago',
      ],
    ])('refuses %s', async (_, query, parameter, rule) => {
      const { tenant, scopeId } = await emptyScope()
      const reply = await subject.call({ ...ask(tenant, scopeId), query })
      subject.expectProblem(reply, 'validation_failed', { pointers: [`query#/${parameter}`], rules: [rule] })
    })

    it('tells of all at once that can be seen without looking', async () => {
      const { tenant, scopeId } = await emptyScope()
      const reply = await subject.call({ ...ask(tenant, scopeId), query: 'from=x&to=y&step=z' })
      const pointers = ['from', 'to', 'step'].map((each) => `query#/${each}`)
      subject.expectProblem(reply, 'validation_failed', { pointers })
    })
  })
}

/**
 * An event stream ends with the key that opened it: within five seconds of the answer to the revocation, on every
 * process, whichever of its headers carried the key. Streams of keys that live on stay open beside it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Figures } from '../../harness/figures.ts'
import type { HttpRequest } from '../../harness/http.ts'
import { openStream } from '../../harness/http/event-stream.ts'
import type { EventStream } from '../../harness/http/event-stream.ts'
import type { IssuedKey, Stage, Tenant } from './stage.ts'
import { percentile } from '../../harness/statistics.ts'

/** Streams that one key opened, and when that key ended. */
interface Trial {
  readonly what: string
  readonly streams: readonly EventStream[]
  /** When the answer that ended it had arrived; never, for a key that lives on. */
  readonly endedAt: number
}

export interface StreamFindings {
  readonly trials: readonly Trial[]
  readonly openBefore: number
}

/** The promise: five seconds. */
const WITHIN_MS = 5_000
/** So that the last moment is looked at, and not only what came before it. */
const MARGIN_MS = 300
const NEVER = Number.POSITIVE_INFINITY
const KERNEL = '/internals/kernel/events'

/** `keys` of each kind of end. */
export async function observeStreams(stage: Stage, keys: number): Promise<StreamFindings> {
  const tenant = await stage.createTenant()
  const scopeId = await stage.createScope(tenant)
  const plans = [
    ...Array.from({ length: keys }, () => tenantKeyPlan(stage, tenant, scopeId, byRoute)),
    ...Array.from({ length: keys }, () => tenantKeyPlan(stage, tenant, scopeId, byRotation)),
    tenantKeyPlan(stage, tenant, scopeId, byCommand),
    besidePlan(stage, tenant, scopeId),
    rootKeyPlan(stage),
    livingPlan(stage, tenant, scopeId),
  ]
  const ready = await Promise.all(plans)
  const openBefore = ready.flatMap(({ streams }) => streams).filter(isOpen).length
  const trials = await Promise.all(
    ready.map(async ({ what, streams, end }) => {
      await end?.()
      return { what, streams, endedAt: end ? Date.now() : NEVER }
    }),
  )
  await delay(WITHIN_MS + MARGIN_MS)
  return { trials, openBefore }
}

interface Plan {
  readonly what: string
  readonly streams: readonly EventStream[]
  readonly end?: () => Promise<unknown>
}

type End = (stage: Stage, tenant: Tenant, key: IssuedKey) => Promise<unknown>

const byRoute: End = ({ callers: [first], admin }, { id }, { key_id }) =>
  first.json({ method: 'POST', path: `/admin/tenants/${id}/keys/${key_id}/revoke`, bearer: admin })

/** Without an overlap the old key ends in the same moment. */
const byRotation: End = ({ callers: [first], admin }, { id }, { key_id }) =>
  first.json({
    method: 'POST',
    path: `/admin/tenants/${id}/keys/${key_id}/rotate`,
    bearer: admin,
    body: { overlap_seconds: 0 },
  })

const byCommand: End = (stage, { id }, { key_id }) => stage.revokeByCommand(key_id, id)

async function tenantKeyPlan(stage: Stage, tenant: Tenant, scopeId: string, end: End): Promise<Plan> {
  const key = await stage.issueKey(tenant)
  const streams = await openEverywhere(stage, tenantOpenings(stage, scopeId, key.api_key))
  return { what: 'tenant key', streams, end: () => end(stage, tenant, key) }
}

/** As the tenant, and as its administrator. */
function tenantOpenings({ admin }: Stage, scopeId: string, key: string): HttpRequest[] {
  return [
    { path: `/api/scopes/${scopeId}/events`, bearer: key },
    { path: `/admin/scopes/${scopeId}/events`, bearer: admin, tenantKey: key },
  ]
}

/**
 * The same headers open two streams, of which only the second asks for the tenant key: that the first may stay must
 * not keep the second one open.
 */
async function besidePlan(stage: Stage, tenant: Tenant, scopeId: string): Promise<Plan> {
  const [key, { api_key: internals }] = await Promise.all([
    stage.issueKey(tenant),
    stage.createRootKey('internals'),
  ])
  const keys = { bearer: internals, tenantKey: key.api_key }
  await openEverywhere(stage, [{ path: KERNEL, ...keys }])
  const streams = await openEverywhere(stage, [{ path: `/admin/scopes/${scopeId}/events`, ...keys }])
  return { what: BESIDE, streams, end: () => byRoute(stage, tenant, key) }
}

const BESIDE = 'tenant key beside another stream'

async function rootKeyPlan(stage: Stage): Promise<Plan> {
  const key = await stage.createRootKey('internals')
  const streams = await openEverywhere(stage, [{ path: KERNEL, bearer: key.api_key }])
  return { what: 'internals key', streams, end: () => stage.revokeByCommand(key.key_id) }
}

async function livingPlan(stage: Stage, tenant: Tenant, scopeId: string): Promise<Plan> {
  const streams = await openEverywhere(stage, tenantOpenings(stage, scopeId, tenant.key))
  return { what: 'living key', streams }
}

async function openEverywhere(stage: Stage, openings: readonly HttpRequest[]): Promise<EventStream[]> {
  return Promise.all(
    stage.callers.flatMap(({ url }) =>
      openings.map(async (opening) => {
        const stream = await openStream(url, opening)
        stage.keepStream(stream)
        if (stream.status !== 200)
          throw new Error(`${opening.path} answered ${stream.status}: ${stream.text()}`)
        return stream
      }),
    ),
  )
}

function isOpen(stream: EventStream): boolean {
  return stream.endedAt() === undefined
}

function stillOpen({ streams, endedAt }: Trial): number {
  return streams.filter((stream) => (stream.endedAt() ?? NEVER) > endedAt + WITHIN_MS).length
}

export function reportStreams(figures: Figures, { trials, openBefore }: StreamFindings): void {
  const ended = trials.filter(({ endedAt }) => endedAt !== NEVER)
  const all = sum(trials, ({ streams }) => streams.length)
  figures.note('event streams opened, on three processes', all)
  figures.exactly('of these, open before any key ended', openBefore, all)
  const [beside, alone] = [true, false].map((wanted) =>
    ended.filter(({ what }) => (what === BESIDE) === wanted),
  )
  figures.atMost('streams still open 5 s after the revocation', sum(alone ?? [], stillOpen), 0)
  figures.atMost('the same, beside another stream with the same headers', sum(beside ?? [], stillOpen), 0)
  const times = ended.flatMap(({ streams, endedAt }) =>
    streams.map((stream) => Math.max(0, (stream.endedAt() ?? NEVER) - endedAt)),
  )
  figures.note('until they were closed', `p50 ${percentile(times, 0.5)} ms, last ${Math.max(...times)} ms`)
  const living = trials.filter(({ endedAt }) => endedAt === NEVER)
  figures.exactly(
    'streams of living keys that were closed meanwhile',
    sum(living, ({ streams }) => streams.filter((stream) => !isOpen(stream)).length),
    0,
  )
}

function sum(trials: readonly Trial[], count: (trial: Trial) => number): number {
  return trials.reduce((total, trial) => total + count(trial), 0)
}

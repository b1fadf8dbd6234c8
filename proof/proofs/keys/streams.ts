/**
 * An event stream ends with the key that opened it: within five seconds of the response to the revocation, on every
 * process, whichever of its headers carried the key. Streams of keys that live on stay open beside it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Figures } from '../../harness/figures.ts'
import type { HttpRequest } from '../../harness/http.ts'
import type { RawEventStream } from '../../harness/http/event-stream.ts'
import { percentile, sum } from '../../harness/statistics.ts'
import type { ProvedKey, Stage, KeysTenant } from './stage.ts'

/** Streams that one key opened, and how it ends; without an end it lives on. */
interface Plan {
  readonly streams: readonly RawEventStream[]
  readonly end?: () => Promise<unknown>
  /** The same headers opened another stream, which may stay. */
  readonly beside?: true
}

/** The promise: five seconds. */
const WITHIN_MS = 5_000
/** So that the last moment is looked at, and not only what came before it. */
const MARGIN_MS = 300
const NEVER = Number.POSITIVE_INFINITY
const KERNEL = '/internals/kernel/events'

export type StreamFindings = Awaited<ReturnType<typeof observeStreams>>

type Trial = StreamFindings['trials'][number]

/** `keys` of each kind of end. */
export async function observeStreams(stage: Stage, keys: number) {
  const tenant = await stage.createTenant()
  const scopeId = await stage.createScope(tenant)
  const plan = (end: (key: ProvedKey) => Promise<unknown>) => tenantKeyPlan(stage, tenant, scopeId, end)
  const plans = await Promise.all([
    ...Array.from({ length: keys }, () => plan((key) => stage.revoke(tenant, key))),
    // Without an overlap the old key ends in the same moment.
    ...Array.from({ length: keys }, () => plan((key) => stage.rotate(tenant, key, 0))),
    plan((key) => stage.revokeByCommand(key, tenant)),
    besidePlan(stage, tenant, scopeId),
    rootKeyPlan(stage),
    livingPlan(stage, tenant, scopeId),
  ])
  const openBefore = plans.flatMap(({ streams }) => streams).filter(isOpen).length
  const trials = await Promise.all(
    plans.map(async ({ streams, end, beside }) => {
      await end?.()
      return { streams, beside, endedAt: end ? Date.now() : NEVER }
    }),
  )
  await delay(WITHIN_MS + MARGIN_MS)
  return { trials, openBefore }
}

async function tenantKeyPlan(
  stage: Stage,
  tenant: KeysTenant,
  scopeId: string,
  end: (key: ProvedKey) => Promise<unknown>,
): Promise<Plan> {
  const key = await stage.issueKey(tenant)
  const streams = await openEverywhere(stage, tenantOpenings(stage, scopeId, key.api_key))
  return { streams, end: () => end(key) }
}

/** Opens streams as the tenant, and as its administrator. */
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
async function besidePlan(stage: Stage, tenant: KeysTenant, scopeId: string): Promise<Plan> {
  const [key, internals] = await Promise.all([stage.issueKey(tenant), stage.createRootKey('internals')])
  const keys = { bearer: internals.api_key, tenantKey: key.api_key }
  await openEverywhere(stage, [{ path: KERNEL, ...keys }])
  const streams = await openEverywhere(stage, [{ path: `/admin/scopes/${scopeId}/events`, ...keys }])
  return { streams, end: () => stage.revoke(tenant, key), beside: true }
}

async function rootKeyPlan(stage: Stage): Promise<Plan> {
  const key = await stage.createRootKey('internals')
  const streams = await openEverywhere(stage, [{ path: KERNEL, bearer: key.api_key }])
  return { streams, end: () => stage.revokeByCommand(key) }
}

async function livingPlan(stage: Stage, tenant: KeysTenant, scopeId: string): Promise<Plan> {
  return { streams: await openEverywhere(stage, tenantOpenings(stage, scopeId, tenant.key)) }
}

async function openEverywhere(stage: Stage, openings: readonly HttpRequest[]): Promise<RawEventStream[]> {
  return Promise.all(
    stage.clients.flatMap((client) => openings.map((opening) => stage.follow(client, opening))),
  )
}

function isOpen(stream: RawEventStream): boolean {
  return stream.endedAt() === undefined
}

function countOpen(trials: readonly Trial[]): number {
  const late = ({ streams, endedAt }: Trial) =>
    streams.filter((stream) => (stream.endedAt() ?? NEVER) > endedAt + WITHIN_MS).length
  return sum(trials.map(late))
}

export function reportStreams(figures: Figures, { trials, openBefore }: StreamFindings): void {
  const all = sum(trials.map(({ streams }) => streams.length))
  const [ended, living] = [true, false].map((over) =>
    trials.filter(({ endedAt }) => (endedAt !== NEVER) === over),
  ) as [Trial[], Trial[]]
  figures.note('event streams opened, on three processes', all)
  figures.exactly('of these, open before any key ended', openBefore, all)
  const alone = countOpen(ended.filter(({ beside }) => !beside))
  const beside = countOpen(ended.filter((trial) => trial.beside))
  figures.atMost('streams still open 5 s after the revocation', alone, 0)
  figures.atMost('the same, beside another stream with the same headers', beside, 0)
  const times = ended.flatMap(({ streams, endedAt }) =>
    streams.map((stream) => Math.max(0, (stream.endedAt() ?? NEVER) - endedAt)),
  )
  figures.note('until they were closed', `p50 ${percentile(times, 0.5)} ms, last ${Math.max(...times)} ms`)
  const closed = living.flatMap(({ streams }) => streams).filter((stream) => !isOpen(stream))
  figures.exactly('streams of living keys that were closed meanwhile', closed.length, 0)
}

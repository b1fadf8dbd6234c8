import { beforeEach, describe, expect, it } from 'vitest'
import { getRuntime, moveRuntime } from '../../../src/app/processing/runtime.ts'
import type { RuntimeDeps } from '../../../src/app/processing/runtime.ts'
import type { RuntimeOp, RuntimeTarget } from '../../../src/domain/runtime.ts'
import { dispatchWork, renewLeases } from '../../../src/store/processing/dispatch.ts'
import type { WorkRef } from '../../../src/store/processing/attempts.ts'
import { useDatabase } from '../../support/database.ts'
import {
  acceptOne,
  startOne,
  documentRow,
  logOf,
  look,
  makeReady,
  newDocument,
  processedResult,
  dispatchAll,
  completeOne,
  SHARDS,
  versionsOf,
  workRow,
} from '../../support/documents.ts'
import { auditor, makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 6)
const worker = usePools(database, 2, 'worker')
let tenant: TestTenant
let told: [RuntimeTarget, boolean][]

const SERVICE = { level: 'service' } as const
const ofTenant = () => ({ level: 'tenant', tenantId: tenant.tenantId }) as const
const ofScope = (scopeId = 'default') => ({ level: 'scope', tenantId: tenant.tenantId, scopeId }) as const
const levels = [
  ['service', () => SERVICE],
  ['tenant', () => ofTenant()],
  ['scope', () => ofScope()],
] as const

beforeEach(async () => {
  told = []
  await look(database(), 'delete from work')
  await look(
    database(),
    `update service_switch set state = 'running', generation = 0, running_since = null, changed_at = null`,
  )
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
})

const deps = (): RuntimeDeps => ({ pools: api(), auditor, announceRuntime: (...told_) => told.push(told_) })
const move = (target: RuntimeTarget, op: RuntimeOp) =>
  moveRuntime(deps(), target, op, { tier: 'admin', actor: 'ck_a_test' })
const ready = (documentId = 'report', scopeId = 'default'): Promise<WorkRef> =>
  makeReady({ api: api().tenant, worker: worker() }, newDocument(tenant, { documentId, scopeId }))

describe.each(levels)('a switch of level %s', (level, target) => {
  it('lets work run if it was never moved', async () => {
    expect(await getRuntime(deps(), target())).toMatchObject({
      level,
      state: 'running',
      effectiveState: 'running',
      generation: 0,
      changed: false,
      changedAt: null,
    })
  })

  it('lets no attempt start when paused, and documents wait again without a counted attempt', async () => {
    const place = await ready()
    expect(await move(target(), 'pause')).toMatchObject({ state: 'paused', changed: true, inFlight: 0 })
    expect(await startOne(worker().tenant, place)).toEqual({ outcome: 'paused' })
    expect(await workRow(database(), place)).toMatchObject({ state: 'queued', attempt: 0, ticket: null })
    expect(await documentRow(database(), place)).toMatchObject({ status: 'queued', attempt: 0 })
    expect(await dispatchAll(worker(), tenant)).toEqual([])
    expect(await move(target(), 'resume')).toMatchObject({ state: 'running', changed: true })
    await look(database(), 'update service_switch set running_since = null')
    const [again] = await dispatchAll(worker(), tenant)
    expect(again && (await startOne(worker().tenant, again))).toMatchObject({
      outcome: 'claimed',
      attempt: 1,
    })
  })

  it('lets work in progress complete when paused', async () => {
    const place = await ready()
    await startOne(worker().tenant, place)
    expect(await move(target(), 'pause')).toMatchObject({ inFlight: 1 })
    expect(await completeOne(worker().tenant, processedResult(place, 1))).toBe('settled')
    expect(await getRuntime(deps(), target())).toMatchObject({ state: 'paused', inFlight: 0 })
  })

  it('recalls work in progress when stopped, counts no attempt and refuses its late result', async () => {
    const place = await ready()
    await startOne(worker().tenant, place)
    expect(await move(target(), 'stop')).toMatchObject({ state: 'stopped', changed: true, inFlight: 0 })
    expect(await workRow(database(), place)).toMatchObject({ state: 'queued', attempt: 0, ticket: null })
    expect(await documentRow(database(), place)).toMatchObject({ status: 'queued', attempt: 0 })
    expect(await versionsOf(database(), place)).toEqual(['1 queued'])
    expect(await completeOne(worker().tenant, processedResult(place, 1))).toBe('stale')
    await expect(move(target(), 'resume')).rejects.toMatchObject({ code: 'illegal_transition' })
    await move(target(), 'start')
    await look(database(), 'update service_switch set running_since = null')
    const [again] = await dispatchAll(worker(), tenant)
    expect(again && (await startOne(worker().tenant, again))).toMatchObject({ attempt: 1 })
  })

  it('continues with a new generation when restarted, and announces that workers have to restart', async () => {
    const place = await ready()
    await startOne(worker().tenant, place)
    expect(await move(target(), 'restart')).toMatchObject({ state: 'running', generation: 1, changed: true })
    expect(await move(target(), 'restart')).toMatchObject({ generation: 2 })
    expect(told).toEqual([
      [target(), true],
      [target(), true],
    ])
    expect(await completeOne(worker().tenant, processedResult(place, 1))).toBe('stale')
  })

  it('changes nothing and announces nothing when moved to its current state', async () => {
    await move(target(), 'pause')
    expect(await move(target(), 'pause')).toMatchObject({ state: 'paused', changed: false })
    expect(told).toHaveLength(1)
  })
})

describe('several switches', () => {
  it('let work run only if all of them are running', async () => {
    await move(SERVICE, 'pause')
    await move(ofTenant(), 'stop')
    expect(await getRuntime(deps(), ofScope())).toMatchObject({
      state: 'running',
      effectiveState: 'stopped',
    })
    await move(SERVICE, 'start')
    expect(await getRuntime(deps(), ofScope())).toMatchObject({ effectiveState: 'stopped' })
    await move(ofTenant(), 'start')
    expect(await getRuntime(deps(), ofScope())).toMatchObject({ effectiveState: 'running' })
  })

  it('of one scope or one tenant do not affect others', async () => {
    const other = await makeTenant(api())
    await makeScope(api(), other, 'default')
    await makeScope(api(), tenant, 'second')
    await move(ofScope(), 'stop')
    const second = await ready('kept', 'second')
    expect(await startOne(worker().tenant, second)).toMatchObject({ outcome: 'claimed' })
    await move(ofTenant(), 'stop')
    const theirs = await makeReady({ api: api().tenant, worker: worker() }, newDocument(other))
    expect(await startOne(worker().tenant, theirs)).toMatchObject({ outcome: 'claimed' })
  })

  it('do not exist for a scope that does not exist', async () => {
    await expect(move(ofScope('nowhere'), 'pause')).rejects.toMatchObject({ code: 'scope_not_found' })
    await expect(getRuntime(deps(), ofScope('nowhere'))).rejects.toMatchObject({ code: 'scope_not_found' })
  })
})

describe('the event of a move', () => {
  it('is in the log of the scope, or for higher levels in the log of the kernel', async () => {
    await move(ofScope(), 'pause')
    expect((await logOf(database(), tenant)).at(-1)).toMatchObject({
      kind: 'runtime.changed',
      data: { level: 'scope', state: 'paused', effective_state: 'paused', generation: 0 },
    })
    await move(ofTenant(), 'stop')
    const [entry] = await look(database(), 'select kind, subject, data from kernel_log where subject = $1', [
      tenant.tenantId,
    ])
    expect(entry).toMatchObject({
      kind: 'runtime.changed',
      data: { level: 'tenant', tenant_id: tenant.tenantId, scope_id: null, state: 'stopped' },
    })
  })
})

describe('a pause while attempts start', () => {
  it('is a barrier: no attempt starts after its response', async () => {
    for (let round = 0; round < 5; round += 1) {
      const places = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          acceptOne(api().tenant, newDocument(tenant, { documentId: `r${round}-${index}` })),
        ),
      ).then(() => dispatchAll(worker(), tenant))
      const claims = places.map((place) => startOne(worker().tenant, place))
      await move(ofTenant(), 'pause')
      const [{ now } = { now: '' }] = await look<{ now: string }>(
        database(),
        'select clock_timestamp()::text as now',
      )
      await Promise.all(claims)
      const late = await look(
        database(),
        `select 1 from scope_log where kind = 'document.processing' and at > $1 and tenant_id = $2`,
        [now, tenant.tenantId],
      )
      expect(late).toEqual([])
      await move(ofTenant(), 'resume')
    }
  })
})

describe('after the service was resumed', () => {
  it('the window grows by a tenth per second', async () => {
    await move(SERVICE, 'pause')
    for (let index = 0; index < 30; index += 1)
      await acceptOne(api().tenant, newDocument(tenant, { documentId: `d${index}` }))
    await move(SERVICE, 'resume')
    await renewLeases(worker().kernel, 'test', 60)
    const dispatch = () => dispatchWork(worker().kernel, { holder: 'test', shards: SHARDS, window: 20 })
    expect((await dispatch()).length).toBeLessThanOrEqual(4)
    await look(database(), `update service_switch set running_since = now() - interval '20 seconds'`)
    await dispatch()
    const [out] = await look<{ out: number }>(
      database(),
      `select count(*)::int as out from work where state = 'ready'`,
    )
    expect(out?.out).toBe(20)
  })
})

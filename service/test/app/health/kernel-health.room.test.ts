import { StorageType } from '@nats-io/jetstream'
import { describe, expect, it } from 'vitest'
import { createHatcheries } from '../../../src/app/health/hatcheries.ts'
import { createKernelHealth } from '../../../src/app/health/kernel-health.ts'
import type { KernelReport } from '../../../src/app/health/kernel-health.ts'
import { createPresence } from '../../../src/app/health/presence.ts'
import { judgeStatus, probesOf } from '../../../src/domain/kernel-health.ts'
import { createBroker } from '../../../src/engine/broker.ts'
import type { Broker } from '../../../src/engine/broker.ts'
import { readMigrations } from '../../../src/store/schema/migrations.ts'
import { hasRoomToWrite } from '../../../src/store/ping.ts'
import { renewLeases } from '../../../src/store/processing/dispatch.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { makeTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { useQueue } from '../../support/queue.ts'

const database = useDatabase()
const api = usePools(database, 4)
const worker = usePools(database, 2, 'worker')
const broker = useQueue()

async function read(
  nats: Pick<Broker, 'isConnected' | 'connection'> = broker().broker,
): Promise<KernelReport> {
  await renewLeases(worker().kernel, 'test', 5)
  const monotonicMs = () => performance.now()
  const health = createKernelHealth({
    kernel: api().kernel,
    broker: nats,
    workSubjects: [`${broker().prefix}.work`, `${broker().prefix}.priority`],
    presence: createPresence(monotonicMs),
    hatcheries: createHatcheries(monotonicMs),
    migrations: await readMigrations(),
    monotonicMs,
  })
  return health.readKernel()
}

describe('the health of the kernel', () => {
  it('is degraded while the broker keeps work only in memory, and states what to do', async () => {
    const { manager, stream, prefix, queue } = broker()
    await manager.streams.delete(stream)
    await manager.streams.add({ name: stream, subjects: [`${prefix}.work`], storage: StorageType.Memory })
    const { status, probes } = await read()
    expect(status).toBe('degraded')
    expect(probes[1]).toMatchObject({
      name: 'broker',
      ok: false,
      detail: expect.stringContaining('cannot write to its disk'),
    })
    await manager.streams.delete(stream)
    await queue.inspect()
    expect((await read()).status).toBe('ok')
  })

  it('is paused or stopped while the switch of the service holds all work, and never ok then', async () => {
    const turn = (state: string) => look(database(), 'update service_switch set state = $1', [state])
    await turn('paused')
    const held = { status: 'paused', moving: false, service: { state: 'paused' } }
    expect(await read()).toMatchObject(held)
    const away = createBroker('nats://127.0.0.1:1', silentLog)
    expect(await read(away)).toMatchObject({ ...held, status: 'degraded' })
    await turn('stopped')
    expect(await read()).toMatchObject({ status: 'stopped', moving: false })
    await turn('running')
    expect(await read()).toMatchObject({ status: 'ok', moving: true, service: { state: 'running' } })
  })

  it('is red while the disk of the database is full, and states what to do', async () => {
    expect(await hasRoomToWrite(api().kernel)).toBe(true)
    const answer = <Value>(value: Value) => ({ answered: true, value, latencyMs: 1, at: 0 }) as const
    const findings = { broker: answer(undefined), mismatches: answer([]), dispatcherLagMs: answer(1) }
    const probes = probesOf({ ...findings, database: answer('full') }, 0)
    expect(probes[0]).toMatchObject({ ok: false, detail: expect.stringContaining('make room') })
    expect(judgeStatus({ probes, service: 'paused' })).toBe('unavailable')
    const standby = probesOf({ ...findings, database: answer('read_only') }, 0)
    expect(standby[0]).toMatchObject({ ok: false, detail: expect.stringContaining('primary') })
    expect(judgeStatus({ probes: standby, service: 'running' })).toBe('unavailable')
    const writable = probesOf({ ...findings, database: answer('writable') }, 0)
    expect(judgeStatus({ probes: writable, service: 'running' })).toBe('ok')
    expect(judgeStatus({ probes: writable, service: 'stopped' })).toBe('stopped')
  })

  it('is degraded while an audit entry waits for its place for more than a minute', async () => {
    const tamper = (statement: string) =>
      look(database(), `set local session_replication_role = replica; ${statement}`)
    await makeTenant(api())
    expect((await read()).status).toBe('ok')
    await tamper(`update audit_log set at = now() - interval '90 seconds' where seq is null`)
    const late = await read()
    expect(late).toMatchObject({ status: 'degraded', moving: true })
    expect(late.probes.at(-1)).toMatchObject({
      name: 'audit',
      ok: false,
      required: false,
      detail: expect.stringContaining('run concord audit verify'),
    })
    await tamper('delete from audit_log where seq is null')
    expect((await read()).status).toBe('ok')
  })
})

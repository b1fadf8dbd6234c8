import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import type { Child } from '@concord/tools/launch'
import { createHatcheries } from '../../src/app/health/hatcheries.ts'
import { takeSnapshot } from '../../src/app/health/hatchery-snapshot.ts'
import type { HatchSnapshot, WorkerSnapshot } from '../../src/app/health/hatchery-snapshot.ts'
import { createPresence } from '../../src/app/health/presence.ts'
import { createBroker } from '../../src/engine/broker.ts'
import { subjectsOf } from '../../src/engine/subjects.ts'
import { useDatabase } from '../support/database.ts'
import { look } from '../support/documents.ts'
import { silentLog } from '../support/log.ts'
import { processEnv, startKernelProcess } from '../support/process.ts'

const database = useDatabase()
const started: Child[] = []
const monotonicMs = () => performance.now()
let snapshot: () => HatchSnapshot

beforeAll(async () => {
  const env = processEnv(database())
  const broker = createBroker(env['NATS_URL'] ?? '', silentLog)
  const subjects = subjectsOf(env['SUBJECT_PREFIX'] ?? '')
  const presence = createPresence(monotonicMs)
  const hatcheries = createHatcheries(monotonicMs)
  broker.listen(subjects.heartbeat, presence.record)
  broker.listen(subjects.hatchery, hatcheries.record)
  await broker.start()
  snapshot = () => takeSnapshot({ presence, hatcheries, meter: { read: () => undefined } })
  return () => broker.stop()
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => child.stop()))
})

async function startHatchery(min: number, max = min): Promise<Child> {
  const bounds = { HATCHERY_MIN: String(min), HATCHERY_MAX: String(max), READERS: '1' }
  const child = await startKernelProcess({ ...processEnv(database()), ...bounds }, 'hatchery')
  started.push(child)
  return child
}

const living = (): WorkerSnapshot[] =>
  snapshot().workers.filter(({ state, ageMs }) => state !== 'lost' && state !== 'retiring' && ageMs < 3_000)

/** Processes that start and are missed, also on a busy machine. */
const DEADLINE_MS = 60_000

const untilLiving = (what: string, is: (workers: readonly WorkerSnapshot[]) => boolean) =>
  waitUntil(() => is(living()) && living(), { what, withinMs: DEADLINE_MS })

const isGone = (pid: number) => {
  try {
    return process.kill(pid, 0) && false
  } catch {
    return true
  }
}

const kindsOf = async (workerId: string) =>
  (
    await look<{ kind: string }>(
      database(),
      'select kind from kernel_log where subject = $1 order by kernel_seq',
      [workerId],
    )
  ).map(({ kind }) => kind)

const untilTold = (workerId: string, kinds: readonly string[]) =>
  waitUntil(async () => (await kindsOf(workerId)).join() === kinds.join(), {
    what: `${workerId} being told of as ${kinds.join(' and ')}`,
    withinMs: DEADLINE_MS,
  })

describe('a hatchery', () => {
  it('starts the minimum of workers, and replaces one that is killed', async () => {
    const hatchery = await startHatchery(2)
    const [first] = await untilLiving('two workers', (workers) => workers.length === 2)
    if (!first) throw new Error('no worker')
    await untilTold(first.id, ['worker.hatched'])
    process.kill(first.pid, 'SIGKILL')
    const now = await untilLiving(
      'a new one',
      (workers) => workers.length === 2 && workers.every(({ id }) => id !== first.id),
    )
    expect(new Set(now.map(({ pid }) => pid)).size).toBe(2)
    await untilTold(first.id, ['worker.hatched', 'worker.lost'])
    for (const { id } of now) await untilTold(id, ['worker.hatched'])
    await hatchery.stop()
    expect(now.every(({ pid }) => isGone(pid))).toBe(true)
    for (const { id } of now) expect(await kindsOf(id)).toEqual(['worker.hatched', 'worker.retired'])
  }, 240_000)

  it('ends one that hangs', async () => {
    await startHatchery(1)
    const [hung] = await untilLiving('a worker', (workers) => workers.length === 1)
    if (!hung) throw new Error('no worker')
    process.kill(hung.pid, 'SIGSTOP')
    const [next] = await untilLiving(
      'a new one',
      (workers) => workers.length === 1 && workers[0]?.id !== hung.id,
    )
    expect(next?.pid).not.toBe(hung.pid)
    expect(isGone(hung.pid)).toBe(true)
  }, 240_000)

  it('takes its workers with it when it is killed: they finish and go', async () => {
    const hatchery = await startHatchery(2)
    const workers = await untilLiving('two workers', (all) => all.length === 2)
    hatchery.signal('SIGKILL')
    const gone = () => workers.every(({ pid }) => isGone(pid))
    expect(gone()).toBe(false)
    expect(await waitUntil(gone, { what: 'both going', withinMs: DEADLINE_MS })).toBe(true)
  }, 240_000)

  it('shares with another one, and both tell the same of both', async () => {
    const hatcheries = [await startHatchery(1, 2), await startHatchery(1, 2)]
    await untilLiving(
      'one worker each',
      (workers) => new Set(workers.map((each) => each.hatchery)).size === 2,
    )
    const seen = await waitUntil(
      () => {
        const heard = snapshot().hatcheries.filter(({ alive }) => alive)
        return (
          heard.length === 2 &&
          heard.filter(({ heartbeat }) => heartbeat.wishes !== null).length === 1 &&
          snapshot()
        )
      },
      { what: 'one of the two deciding', withinMs: DEADLINE_MS },
    )
    expect(seen.roles.find(({ role }) => role === 'worker')).toMatchObject({
      wanted: 2,
      running: 2,
      min: 2,
      max: 4,
    })
    expect(
      new Set(seen.hatcheries.filter(({ alive }) => alive).map(({ heartbeat }) => heartbeat.pid)),
    ).toEqual(new Set(hatcheries.map(({ pid }) => pid)))
  }, 240_000)
})

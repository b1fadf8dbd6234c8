import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Child } from '@concord/tools/launch'
import type { HatchSnapshot } from '../../src/app/health/hatchery-snapshot.ts'
import type { KernelReport } from '../../src/app/health/kernel-health.ts'
import { drawTop } from '../../src/command/top-screen.ts'
import type { TopFrame } from '../../src/command/top-screen.ts'
import { useDatabase } from '../support/database.ts'
import { processEnv, runConcord, startKernelProcess } from '../support/process.ts'

const worker: HatchSnapshot['workers'][number] = {
  id: 'h:7:x',
  role: 'worker',
  host: 'h',
  pid: 7,
  hatchery: 'h:6:y',
  state: 'busy',
  startedAt: 0,
  current: { tenantId: 't', scopeId: 'acme', documentId: 'report', attempt: 2, startedAt: 0 },
  inFlight: 3,
  processed: 100,
  failed: 0,
  memoryBytes: 104_857_600,
  ageMs: 250,
}
const health: KernelReport = {
  status: 'ok',
  moving: true,
  service: { state: 'running', ageMs: 5 },
  oldestQueuedAgeMs: 1_500,
  sinceCompletionMs: 20,
  dispatcherLagMs: 400,
  audit: null,
  probes: [{ name: 'database', ok: true, required: true, latencyMs: 1.25, ageMs: 1, detail: null }],
  members: [],
  judge: 'off',
}
const frame = (
  parts: { readonly at?: number; readonly processed?: number; readonly ok?: boolean } = {},
): TopFrame => ({
  at: new Date(parts.at ?? 60_000),
  health:
    parts.ok === false
      ? {
          ...health,
          status: 'unavailable',
          moving: false,
          probes: [
            { name: 'broker', ok: false, required: false, latencyMs: null, ageMs: 1, detail: 'NATS is away' },
          ],
        }
      : health,
  snapshot: {
    roles: [
      {
        role: 'worker',
        wanted: 4,
        min: 1,
        max: 8,
        running: 3,
        starting: 1,
        busy: 3,
        figures: {
          arrivalsPerSecond: 120,
          waiting: 42,
          oldestWaitMs: 1_500,
          perWorker: 38.5,
          utilisation: 0.97,
          ageMs: 0,
        },
        decisions: [{ at: 50_000, from: 1, to: 4, reason: 'more needed' }],
      },
    ],
    workers: [{ ...worker, processed: parts.processed ?? 100 }],
    hatcheries: [],
  },
})

describe('the screen', () => {
  it('shows roles, workers, ages, rates and the last decisions under their headings', () => {
    expect(drawTop(frame({ at: 62_000, processed: 180 }), frame())).toEqual([
      'concord top   1970-01-01T00:01:02.000Z   ok   work moves',
      'database ok (1.3 ms)',
      'oldest queued 1.5 s   last completion 20 ms ago',
      '',
      'ROLE    WANTED  RUNNING  STARTING  BUSY  MIN  MAX  WAITING  OLDEST  ARRIVE/S  EACH/S  ROOM TAKEN',
      'worker       4        3         1     3    1    8       42   1.5 s       120    38.5        97 %',
      '',
      'WORKER  ROLE    STATE  IN HAND  DONE  FAILED  DONE/S  MEMORY      UP       HEARD  LONGEST',
      'h:7     worker  busy         3   180       0    40.0  100 MB  62.0 s  250 ms ago  acme/report (attempt 2)',
      '',
      'no hatchery: workers are started and stopped by hand',
      '',
      'last decisions',
      '  00:00:50  worker 1 to 4: more needed',
    ])
  })
  it('leaves out whole columns if a line is too short, and wraps the probes', () => {
    const lines = drawTop(frame({ at: 62_000, processed: 180 }), frame(), 80)
    expect(
      lines.filter((line) => line.length > 80 && !line.includes('LONGEST') && !line.includes('acme')),
    ).toEqual([])
    expect(lines.join('\n')).toMatch(/^ROLE +WANTED .* ROOM TAKEN$/m)
    expect(lines.join('\n')).toMatch(/^WORKER .* DONE\/S .*LONGEST$/m)
    expect(lines.join('\n')).not.toContain('STARTING')
  })

  it('prints the command that resumes work while the service is paused or stopped', () => {
    const held = (state: 'paused' | 'stopped') =>
      drawTop({
        ...frame(),
        health: { ...health, status: state, moving: false, service: { state, ageMs: 5 } },
      })
    expect(held('paused')[0]).toContain(
      'paused   the service is paused; concord runtime resume lets work run again',
    )
    expect(held('stopped')[0]).toContain(
      'stopped   the service is stopped; concord runtime start lets work run again',
    )
  })

  it('prints a warning when work makes no progress, with the reason', () => {
    const lines = drawTop(frame({ ok: false }))
    expect(lines[0]).toContain('unavailable   WORK DOES NOT MOVE')
    expect(lines).toContain('broker FAILS')
    expect(lines).toContain('  broker: NATS is away')
  })
})

describe('concord top', () => {
  const database = useDatabase()
  let dispatcher: Child
  beforeAll(async () => {
    dispatcher = await startKernelProcess(processEnv(database()), 'dispatcher')
  })
  afterAll(async () => void (await dispatcher.stop()))

  it('--once shows who is there, and ends', async () => {
    const { code, stdout } = await runConcord(processEnv(database()), 'top', '--once')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^concord top {3}\S+ {3}ok {3}work moves\n/)
    expect(stdout).toMatch(new RegExp(`:${dispatcher.pid} +dispatcher +idle`))
  })
  it('--json prints the same for a program', async () => {
    const { stdout } = await runConcord(processEnv(database()), 'top', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      health: { status: 'ok' },
      snapshot: { workers: [{ role: 'dispatcher', pid: dispatcher.pid }] },
    })
  })
  it('refuses an invalid interval', async () => {
    const { code, output } = await runConcord(processEnv(database()), 'top', '--interval', 'often')
    expect(code).toBe(1)
    expect(output).toContain('Say seconds from 0.2 to 3600.')
  })
})

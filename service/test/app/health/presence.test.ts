import { beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { createPresence } from '../../../src/app/health/presence.ts'
import type { Presence } from '../../../src/app/health/presence.ts'
import { heartbeatOf } from '../../../src/domain/heartbeat.ts'
import type { Heartbeat, Vitals } from '../../../src/domain/heartbeat.ts'
import { createPulse } from '../../../src/engine/heartbeat.ts'
import { subjectsOf } from '../../../src/engine/subjects.ts'
import { createClock } from '../../support/clock.ts'
import type { TestClock } from '../../support/clock.ts'
import { heartbeat } from '../../support/heartbeat.ts'
import { useQueue } from '../../support/queue.ts'

const broker = useQueue()
let clock: TestClock
let presence: Presence

beforeEach(() => {
  clock = createClock()
  presence = createPresence(clock.now)
})

const hear = (parts: Partial<Heartbeat> = {}) => presence.record(JSON.stringify(heartbeat(parts)))
const seen = () => presence.members().map(({ id, alive }) => `${id} ${alive ? 'alive' : 'lost'}`)

describe('a process that sends a heartbeat per second', () => {
  const self = { id: 'host:7:x', role: 'worker', host: 'host', pid: 7, startedAt: 5, hatchery: 'host:6:y' }
  const place = {
    tenantId: '6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66',
    scopeId: 's',
    documentId: 'd',
    attempt: 2,
  }
  const vitals: Vitals = {
    inFlight: 2,
    processed: 3,
    failed: 1,
    memoryBytes: 42,
    sinceCompletionMs: 500,
    capacity: 64,
    busyMs: 12.4,
    current: { ...place, forMs: 250 },
  }

  it('is received over the broker, and announces its retirement', async () => {
    const { heartbeat: subject } = subjectsOf(broker().prefix)
    broker().broker.listen(subject, presence.record)
    const describeIt = (retiring: boolean) => heartbeatOf(self, vitals, Date.now(), retiring)
    const pulse = createPulse({ broker: broker().broker, subject, describe: describeIt })
    const state = () => presence.members()[0]?.heartbeat.state
    await pulse.start()
    await waitUntil(() => state() === 'busy', { what: 'hearing of the process', everyMs: 10 })
    expect(presence.members()[0]).toMatchObject({
      id: 'host:7:x',
      role: 'worker',
      alive: true,
      ageMs: 0,
      heartbeat: {
        pid: 7,
        hatchery: 'host:6:y',
        inFlight: 2,
        processed: 3,
        failed: 1,
        memoryBytes: 42,
        busyMs: 12,
        current: place,
      },
    })
    expect(presence.sinceCompletionMs()).toBe(500)
    await pulse.farewell.stop()
    await waitUntil(() => state() === 'retiring', { what: 'hearing good-bye', everyMs: 10 })
    await pulse.stop()
    await pulse.stop()
  })

  it('is idle with nothing in flight', () => {
    expect(heartbeatOf(self, { ...vitals, inFlight: 0 }, 9_000, false).state).toBe('idle')
  })
})

describe('a process that falls silent', () => {
  it('is lost after five seconds and forgotten after a minute', () => {
    hear()
    clock.advance(5_000)
    expect(seen()).toEqual(['host:1:a alive'])
    clock.advance(1)
    expect(seen()).toEqual(['host:1:a lost'])
    clock.advance(54_999)
    expect(seen()).toEqual(['host:1:a lost'])
    clock.advance(1)
    expect(seen()).toEqual([])
  })

  it('is alive again with its next heartbeat', () => {
    hear()
    clock.advance(30_000)
    hear()
    expect(seen()).toEqual(['host:1:a alive'])
  })

  it('is not lost after it announced its end', () => {
    hear({ state: 'retiring' })
    expect(seen()).toEqual(['host:1:a alive'])
    clock.advance(5_001)
    expect(seen()).toEqual([])
  })
})

describe('the silence of a role', () => {
  it('begins when this process began to listen', () => {
    clock.advance(3_000)
    expect(presence.silenceMs('worker')).toBe(3_000)
  })

  it('ends with a heartbeat of any process of the role, and of no other role', () => {
    clock.advance(20_000)
    hear({ id: 'd', role: 'dispatcher' })
    expect(presence.silenceMs('worker')).toBe(20_000)
    hear({ id: 'w1' })
    clock.advance(1_000)
    hear({ id: 'w2' })
    clock.advance(2_000)
    expect(presence.silenceMs('worker')).toBe(2_000)
  })

  it('is not ended by a process that takes no new work', () => {
    clock.advance(20_000)
    hear({ state: 'retiring' })
    expect(presence.silenceMs('worker')).toBe(20_000)
  })
})

describe('the last completion', () => {
  it('is the latest of all workers, by its age and not by the clock of its host', () => {
    expect(presence.sinceCompletionMs()).toBeNull()
    hear({ id: 'fast clock', saidAt: 8_000_000, lastCompletionAt: 7_990_000 })
    hear({ id: 'slow clock', saidAt: 20_000, lastCompletionAt: 16_000 })
    clock.advance(1_000)
    expect(presence.sinceCompletionMs()).toBe(5_000)
  })

  it('is remembered when its worker is forgotten, and is never taken back', () => {
    hear({ lastCompletionAt: 9_000 })
    clock.advance(61_000)
    hear({ id: 'another', saidAt: 100_000, lastCompletionAt: 0 })
    expect(presence.sinceCompletionMs()).toBe(61_000)
  })

  it('counts as just now if it lies in the future of its sender', () => {
    hear({ saidAt: 9_000, lastCompletionAt: 99_000 })
    expect(presence.sinceCompletionMs()).toBe(0)
  })
})

describe('an invalid heartbeat', () => {
  const { host: _host, ...homeless } = heartbeat()
  it.each([
    '',
    'null',
    '[]',
    '{',
    JSON.stringify(homeless),
    JSON.stringify({ ...heartbeat(), more: 1 }),
    JSON.stringify(heartbeat({ id: '' })),
    JSON.stringify(heartbeat({ id: 'x'.repeat(201) })),
    JSON.stringify(heartbeat({ role: 'Worker\n' })),
    JSON.stringify(heartbeat({ pid: 1.5 })),
    JSON.stringify(heartbeat({ processed: -1 })),
    JSON.stringify({ ...heartbeat(), state: 'lost' }),
    JSON.stringify({ ...heartbeat(), lastCompletionAt: '2026-01-01' }),
    `${JSON.stringify(heartbeat())}${' '.repeat(4_000)}`,
  ])('changes nothing: %s', (payload) => {
    presence.record(payload)
    expect(presence.members()).toEqual([])
    expect(presence.sinceCompletionMs()).toBeNull()
  })

  it('is not kept without bound if it has ever new names', () => {
    for (let index = 0; index < 3_000; index += 1) hear({ id: `invented ${index}` })
    expect(presence.members()).toHaveLength(2_000)
    hear({ id: 'invented 0', state: 'busy' })
    expect(presence.members()[0]).toMatchObject({ id: 'invented 0', heartbeat: { state: 'busy' } })
  })
})

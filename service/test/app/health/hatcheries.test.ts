import { expect, it } from 'vitest'
import { createHatcheries } from '../../../src/app/health/hatcheries.ts'
import { isDecider } from '../../../src/domain/hatchery.ts'
import type { HatcheryHeartbeat } from '../../../src/domain/hatchery.ts'
import { createClock } from '../../support/clock.ts'

const heartbeat = (id: string): HatcheryHeartbeat => ({
  id,
  host: 'h',
  pid: 1,
  startedAt: 1,
  saidAt: 2,
  broods: [{ role: 'worker', min: 1, max: 4, wanted: 2, running: 1, starting: 1 }],
  decisions: [{ at: 2, role: 'worker', from: 1, to: 2, reason: 'more needed' }],
  wishes: [{ hatchery: id, role: 'worker', wanted: 2 }],
})

it('a hatchery is alive with heartbeats, lost after five seconds, forgotten after a minute', () => {
  const clock = createClock()
  const hatcheries = createHatcheries(clock.now)
  hatcheries.record(JSON.stringify(heartbeat('b')))
  hatcheries.record(JSON.stringify(heartbeat('a')))
  expect(hatcheries.list().map((each) => each.heartbeat)).toEqual([heartbeat('a'), heartbeat('b')])
  clock.advance(5_001)
  hatcheries.record(JSON.stringify(heartbeat('a')))
  expect(hatcheries.list().map(({ alive, ageMs }) => [alive, ageMs])).toEqual([
    [true, 0],
    [false, 5_001],
  ])
  clock.advance(55_000)
  expect(hatcheries.list()).toHaveLength(1)
})

it.each(['', '{}', '[]', 'null', JSON.stringify({ ...heartbeat('a'), extra: 1 }), `"${'x'.repeat(70_000)}"`])(
  'what makes no sense is not believed: %.20s',
  (payload) => {
    const hatcheries = createHatcheries(() => 0)
    hatcheries.record(payload)
    expect(hatcheries.list()).toEqual([])
  },
)

it('the hatchery with the first id decides, and one without heartbeats of others', () => {
  expect(isDecider('b', [])).toBe(true)
  expect(isDecider('b', [heartbeat('c')])).toBe(true)
  expect(isDecider('b', [heartbeat('c'), heartbeat('a')])).toBe(false)
})

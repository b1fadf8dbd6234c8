import { expect, it } from 'vitest'
import { createHatcheries } from '../../../src/app/health/hatcheries.ts'
import { isDecider } from '../../../src/domain/hatchery.ts'
import type { HatcherySaid } from '../../../src/domain/hatchery.ts'
import { createClock } from '../../support/clock.ts'

const said = (id: string): HatcherySaid => ({
  id,
  host: 'h',
  pid: 1,
  startedAt: 1,
  saidAt: 2,
  broods: [{ role: 'worker', min: 1, max: 4, wanted: 2, running: 1, starting: 1 }],
  decisions: [{ at: 2, role: 'worker', from: 1, to: 2, reason: 'more needed' }],
  wishes: [{ hatchery: id, role: 'worker', wanted: 2 }],
})

it('a hatchery is heard, lost after five seconds, forgotten after a minute', () => {
  const clock = createClock()
  const hatcheries = createHatcheries(clock.now)
  hatcheries.hear(JSON.stringify(said('b')))
  hatcheries.hear(JSON.stringify(said('a')))
  expect(hatcheries.heard().map((each) => each.said)).toEqual([said('a'), said('b')])
  clock.advance(5_001)
  hatcheries.hear(JSON.stringify(said('a')))
  expect(hatcheries.heard().map(({ alive, ageMs }) => [alive, ageMs])).toEqual([
    [true, 0],
    [false, 5_001],
  ])
  clock.advance(55_000)
  expect(hatcheries.heard()).toHaveLength(1)
})

it.each(['', '{}', '[]', 'null', JSON.stringify({ ...said('a'), extra: 1 }), `"${'x'.repeat(70_000)}"`])(
  'what makes no sense is not believed: %.20s',
  (payload) => {
    const hatcheries = createHatcheries(() => 0)
    hatcheries.hear(payload)
    expect(hatcheries.heard()).toEqual([])
  },
)

it('the one whose id comes first decides, and whoever hears nobody', () => {
  expect(isDecider('b', [])).toBe(true)
  expect(isDecider('b', [said('c')])).toBe(true)
  expect(isDecider('b', [said('c'), said('a')])).toBe(false)
})

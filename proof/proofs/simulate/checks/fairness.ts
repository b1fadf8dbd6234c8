/**
 * At each release: nobody who got something has more under way than one who still waits, by more than the one that was
 * given last; and each tenant is served in its own order.
 */
import type { Work } from '../store.ts'
import { stillHeld } from './step.ts'
import type { Check, CheckDeps, ReleaseStep } from './step.ts'

export function fairnessCheck({ window, meet }: CheckDeps): Check {
  return (step) => {
    if (step.kind !== 'release') return false
    const held = stillHeld(step)
    const rows = [...step.after.work.values()].filter(({ shard }) => held.includes(shard))
    const waiting = rows.filter(
      ({ state, shard, notBefore }) =>
        state === 'queued' && step.what.shards.includes(shard) && notBefore <= step.at,
    )
    const out = rows.filter(({ state }) => state !== 'queued').length
    if (waiting.length > 0 && out < window) return 'room was left while documents wait'
    const served = new Set(step.answer.map(({ place }) => place.tenant))
    const waiters = new Set(waiting.map(({ place }) => place.tenant))
    for (const tenant of served)
      for (const other of waiters) {
        if (other === tenant) continue
        const [more, less] = [underWay(rows, tenant), underWay(rows, other)]
        if (more > less + 1)
          return `${tenant} has ${more} under way and was served before ${other} with ${less}`
      }
    if (waiters.size > 1) meet('several tenants wait for the same room')
    return passedOver(step, waiting) ?? (served.size > 0 && waiters.size > 0)
  }
}

function underWay(rows: readonly Work[], tenant: string): number {
  return rows.filter(({ place, state }) => place.tenant === tenant && state !== 'queued').length
}

function passedOver(step: ReleaseStep, waiting: readonly Work[]): string | undefined {
  for (const { place } of step.answer) {
    const position = step.before.work.get(place.key)?.position ?? 0
    const passed = waiting.find((row) => row.place.tenant === place.tenant && row.position < position)
    if (passed) return `${place.key} was released before ${passed.place.key}, which came earlier`
  }
  return undefined
}

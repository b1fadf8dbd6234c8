/** The faults: actors crash, stop, freeze and thaw; the broker goes away or loses everything; a shard is freed by hand. */
import type { Chance } from '../../../harness/chance.ts'
import type { Driver } from '../driver.ts'
import { ask, pause } from '../programs.ts'
import type { Program, Sending } from '../programs.ts'
import type { SimulateStage } from '../stage.ts'
import { SHARDS } from '../rules.ts'

/** A fate that can befall one actor at the worst moment, which its own program knows best. */
export interface Fate {
  die(): void
  freeze(): void
}

export function* chaos(stage: SimulateStage, driver: Driver, victims: readonly string[]): Program {
  const { chance, broker } = stage
  // Some worlds are rougher than others: where everything is down all the time, nothing can go wrong.
  const calmest = chance.oneOf([1_500, 3_000, 6_000])
  let awayUntil = 0
  for (;;) {
    yield* pause(chance.between(100, calmest))
    if (!stage.isStormy()) return
    if (stage.now() >= awayUntil) broker.setReachable(true)
    const dice = chance.number()
    const victim = chance.pick(victims)
    if (dice < 0.38 && victim) yield* end(stage, driver, victim)
    else if (dice < 0.78 && victim) driver.freeze(victim, freezeMs(chance))
    else if (dice < 0.87) yield* ask('freeShard', { shard: chance.between(0, SHARDS.length - 1) })
    else if (dice < 0.94) {
      broker.setReachable(false)
      awayUntil = stage.now() + chance.between(500, 10_000)
    } else if (broker.wipe(stage.now()) > 0) stage.meet('the broker is wiped while it holds messages')
  }
}

/** Longer than a lease, or longer than all olderThan. */
export function freezeMs(chance: Chance): number {
  return chance.happens(0.7) ? chance.between(500, 20_000) : chance.between(20_000, 70_000)
}

/** Most crash; some are stopped, and say so. */
function* end({ chance, meet }: SimulateStage, driver: Driver, victim: string): Sending<void> {
  const holder = driver.crash(victim, chance.between(100, 9_000))
  if (!holder?.startsWith('dispatcher') || !chance.happens(0.25)) return
  meet('a dispatcher gives its leases up')
  yield* ask('releaseLeases', { holder })
}

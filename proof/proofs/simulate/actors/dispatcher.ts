/** A dispatcher as in service/src/dispatch: two loops that share nothing but the shards it believes to hold. */
import type { Fate } from './chaos.ts'
import { ask, carry, pause } from '../programs.ts'
import type { Program, Sending } from '../programs.ts'
import type { SimulateStage } from '../stage.ts'

const LEASE_MS = 5_000
const RENEW_EVERY_MS = 1_000
const LOOK_EVERY_MS = 250

/** Everything in here is forgotten at a crash. */
export function startDispatcher(
  stage: SimulateStage,
  holder: string,
  spawn: (program: Program) => void,
  fate: Fate,
): void {
  let shards: readonly number[] = []
  spawn(keepLeases(stage, holder, (held) => (shards = held)))
  spawn(look(stage, holder, () => shards, fate))
}

function* keepLeases(
  stage: SimulateStage,
  holder: string,
  hold: (shards: readonly number[]) => void,
): Program {
  for (;;) {
    const shards = yield* ask('renewLeases', { holder, ms: LEASE_MS })
    if (shards) hold(shards)
    const queue =
      shards && shards.length > 0
        ? yield* carry('inspect', () => stage.broker.inspect(stage.now()))
        : undefined
    if (shards && queue) {
      const dispatched = yield* ask('countInFlight', { holder })
      const olderThan = dispatched === undefined ? null : stage.rules.recallAgeFor(queue, dispatched)
      if (olderThan) yield* ask('recall', { shards, olderThan })
    }
    yield* pause(RENEW_EVERY_MS)
  }
}

function* look(stage: SimulateStage, holder: string, held: () => readonly number[], fate: Fate): Program {
  for (;;) {
    const shards = held()
    const dispatched =
      shards.length > 0 && stage.broker.isReachable() ? yield* fill(stage, holder, shards, fate) : 0
    if (dispatched === 0) yield* pause(LOOK_EVERY_MS)
  }
}

/** The commit comes first: a note that is never sent is recalled. */
function* fill(stage: SimulateStage, holder: string, shards: readonly number[], fate: Fate): Sending<number> {
  // It knows its shards and has dispatched nothing yet: another dispatcher may have them when it thaws.
  if (stage.isStormy() && stage.chance.happens(0.01)) {
    fate.freeze()
    yield* pause(1)
  }
  const dispatched = (yield* ask('dispatch', { holder, shards, window: stage.window })) ?? []
  for (const { ref, ticket } of dispatched)
    yield* carry('publish', () => stage.broker.publish(stage.now(), { ref, ticket }))
  return dispatched.length
}

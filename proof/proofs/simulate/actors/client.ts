/** Tenants at work: they hand in texts, new versions and repetitions, retry, remove, and now and then reset a scope. */
import { ask, pause } from '../programs.ts'
import type { Program, Sending } from '../programs.ts'
import type { SimulateStage } from '../stage.ts'
import type { WorkScope } from '../rules.ts'

/** More would only wait longer, and every step would cost more. */
const BACKLOG = 24
const TEXTS = ['one', 'two', 'three', 'four', 'five', 'six', 'barred', 'poison', 'deadly'] as const

export function* client(stage: SimulateStage): Program {
  const { chance, places } = stage
  for (;;) {
    yield* pause(chance.between(20, 400))
    if (!stage.isStormy()) return
    // Half of them of one tenant: the others must not wait because of it.
    const place = chance.pick(chance.happens(0.5) ? ofFirstTenant(places) : places)
    if (place) yield* act(stage, place)
  }
}

function* act(stage: SimulateStage, place: WorkScope): Sending<void> {
  const { chance } = stage
  const dice = chance.number()
  if (dice < 0.02) yield* ask('reset', { scopeKey: place.scopeKey })
  else if (dice < 0.07) yield* ask('remove', { place })
  else if (dice < 0.15) yield* ask('retry', { place: placeWhere(stage, 'failed') ?? place })
  else if (dice < 0.19) yield* ask('releaseHeld', { place: placeWhere(stage, 'held') ?? place })
  else if (stage.tables().work.size < BACKLOG) yield* accept(stage, place)
}

/** Sent again when no answer came, as a client would. */
function* accept(stage: SimulateStage, place: WorkScope): Sending<void> {
  const { chance } = stage
  const epoch = stage.tables().scopes.get(place.scopeKey)?.epoch ?? 0
  const remembered = chance.happens(0.03) ? Math.max(0, epoch - 1) : epoch
  const what = { place, epoch: remembered, fingerprint: chance.oneOf(TEXTS) }
  const answer = yield* ask('accept', what)
  if (!answer) yield* ask('accept', what)
}

function placeWhere({ chance, tables }: SimulateStage, wanted: 'failed' | 'held'): WorkScope | undefined {
  return chance.pick([...tables().documents.values()].filter(({ status }) => status === wanted))?.place
}

function ofFirstTenant(places: readonly WorkScope[]): readonly WorkScope[] {
  return places.filter(({ tenant }) => tenant === places[0]?.tenant)
}

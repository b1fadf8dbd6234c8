/** Tenants at work: they hand in texts, new versions and repetitions, retry, remove, and now and then reset a scope. */
import { ask, pause } from '../programs.ts'
import type { Program, Sending } from '../programs.ts'
import type { SimulateStage } from '../stage.ts'
import type { DocumentRef } from '../rules.ts'

/** More would only wait longer, and every step would cost more. */
const BACKLOG = 24
const TEXTS = ['one', 'two', 'three', 'four', 'five', 'six', 'barred', 'poison', 'deadly'] as const

export function* client(stage: SimulateStage): Program {
  const { chance, refs } = stage
  for (;;) {
    yield* pause(chance.between(20, 400))
    if (!stage.isStormy()) return
    // Half of them of one tenant: the others must not wait because of it.
    const ref = chance.pick(chance.happens(0.5) ? ofFirstTenant(refs) : refs)
    if (ref) yield* act(stage, ref)
  }
}

function* act(stage: SimulateStage, ref: DocumentRef): Sending<void> {
  const { chance } = stage
  const dice = chance.number()
  if (dice < 0.02) yield* ask('reset', { scopeKey: ref.scopeKey })
  else if (dice < 0.07) yield* ask('remove', { ref })
  else if (dice < 0.15) yield* ask('retry', { ref: refWhere(stage, 'failed') ?? ref })
  else if (dice < 0.19) yield* ask('releaseHeld', { ref: refWhere(stage, 'held') ?? ref })
  else if (stage.tables().work.size < BACKLOG) yield* accept(stage, ref)
}

/** Sent again when no answer came, as a client would. */
function* accept(stage: SimulateStage, ref: DocumentRef): Sending<void> {
  const { chance } = stage
  const epoch = stage.tables().scopes.get(ref.scopeKey)?.epoch ?? 0
  const remembered = chance.happens(0.03) ? Math.max(0, epoch - 1) : epoch
  const what = { ref, epoch: remembered, fingerprint: chance.oneOf(TEXTS) }
  const answer = yield* ask('accept', what)
  if (!answer) yield* ask('accept', what)
}

function refWhere({ chance, tables }: SimulateStage, wanted: 'failed' | 'held'): DocumentRef | undefined {
  return chance.pick([...tables().documents.values()].filter(({ status }) => status === wanted))?.ref
}

function ofFirstTenant(refs: readonly DocumentRef[]): readonly DocumentRef[] {
  return refs.filter(({ tenant }) => tenant === refs[0]?.tenant)
}

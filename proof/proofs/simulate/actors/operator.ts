/** Closes a switch now and then and opens it again; in calm all of them are opened for good. */
import type { Switch } from '../rules.ts'
import { ask, pause } from '../programs.ts'
import type { Program } from '../programs.ts'
import type { SimulateStage } from '../stage.ts'

export function* operator(stage: SimulateStage): Program {
  const { chance } = stage
  const moved = new Map<string, Switch>()
  while (stage.isStormy()) {
    yield* pause(chance.between(1_000, 20_000))
    const of = chooseSwitch(stage)
    moved.set(JSON.stringify(of), of)
    yield* ask('moveSwitch', { of, op: chance.oneOf(['pause', 'stop', 'restart']) })
    yield* pause(chance.between(200, 6_000))
    yield* ask('moveSwitch', { of, op: chance.oneOf(['start', 'start', 'resume']) })
  }
  for (const of of moved.values())
    while (!(yield* ask('moveSwitch', { of, op: 'start' }))) yield* pause(1_000)
}

function chooseSwitch({ chance, refs }: SimulateStage): Switch {
  const { tenant, scopeKey } = chance.pick(refs) ?? SERVICE
  return chance.oneOf<Switch>([
    SERVICE,
    { tenant, scopeKey: null },
    { tenant, scopeKey },
    { tenant, scopeKey },
  ])
}

const SERVICE: Switch = { tenant: null, scopeKey: null }

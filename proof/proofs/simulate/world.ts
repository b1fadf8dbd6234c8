/**
 * One world of one seed: dispatchers, workers, tenants, a broker and a store in virtual time, under faults first and in
 * calm afterwards. The same seed and the same rules give the same run, to the last step.
 */
import { chaos, freezeMs } from './actors/chaos.ts'
import type { Fate } from './actors/chaos.ts'
import { client } from './actors/client.ts'
import { startDispatcher } from './actors/dispatcher.ts'
import { startWorker } from './actors/worker.ts'
import { createBroker } from './broker.ts'
import { createChance } from '../../harness/chance.ts'
import type { Chance } from '../../harness/chance.ts'
import { createChecks } from './checks.ts'
import type { Checks } from './checks.ts'
import { createDatabase } from './database.ts'
import type { Database } from './database.ts'
import { createDriver } from './driver.ts'
import type { Actor, Clock, Driver } from './driver.ts'
import type { Rules } from './rules.ts'
import type { Limits, Stage } from './stage.ts'
import { createStore, placeOf } from './store.ts'
import type { Place } from './store.ts'
import { createTrace } from './trace.ts'
import type { Trace } from './trace.ts'
import { createWire } from './wire.ts'

export interface WorldOptions {
  readonly seed: number
  readonly rules: Rules
  readonly limits: Limits
  /** Under faults; then it runs on in calm until every document is at its end. */
  readonly stormSteps: number
  /** Virtual seconds in which that must have happened. */
  readonly settleSeconds: number
}

export interface Violation {
  readonly seed: number
  readonly step: number
  readonly check: string
  readonly message: string
  readonly lastSteps: readonly string[]
}

export interface WorldRun {
  readonly steps: number
  readonly virtualSeconds: number
  /** From the end of the faults to the end of the last document. */
  readonly settledSeconds: number
  readonly violation: Violation | undefined
  /** Of every step. */
  readonly hash: string
  readonly met: ReadonlyMap<string, number>
  readonly checked: ReadonlyMap<string, number>
}

export function runWorld(options: WorldOptions): WorldRun {
  const { seed, stormSteps, settleSeconds } = options
  const world = createWorld(options)
  const { clock, database, driver, trace } = world
  while (clock.steps < stormSteps && !database.violation() && driver.step());
  world.calm()
  const settledSeconds = settle(world, settleSeconds)
  const broken = database.violation()
  return {
    steps: clock.steps,
    virtualSeconds: clock.now / 1000,
    settledSeconds,
    violation: broken && { ...broken, seed, step: clock.steps, lastSteps: trace.last() },
    hash: trace.hash(),
    met: world.met,
    checked: world.checks.counts(),
  }
}

interface World {
  readonly clock: Clock
  readonly database: Database
  readonly driver: Driver
  readonly trace: Trace
  readonly checks: Checks
  readonly met: ReadonlyMap<string, number>
  /** Faults stop here. */
  calm(): void
}

function createWorld({ seed, rules, limits }: WorldOptions): World {
  const chance = createChance(seed)
  const broker = createBroker(chance)
  const places = makePlaces(chance)
  const window = chance.between(1, 6)
  const clock: Clock = { now: 0, steps: 0 }
  const now = () => clock.now
  let stormy = true
  const isStormy = () => stormy
  const met = new Map<string, number>()
  const meet = (what: string) => void met.set(what, (met.get(what) ?? 0) + 1)
  const trace = createTrace()
  const checks = createChecks({ window, maxBegun: limits.maxBegun, meet })
  const store = createStore([...new Set(places.map(({ scopeKey }) => scopeKey))])
  const database = createDatabase({ rules, store, checks, trace, now })
  const wire = createWire({ chance, broker, ask: database.ask, isStormy, meet })
  const driver = createDriver({ clock, chance, wire, trace, meet })
  const capacity = chance.between(1, 3)
  populate(
    { rules, limits, broker, chance, window, capacity, places, now, store: database.store, isStormy, meet },
    driver,
  )
  const calm = () => {
    stormy = false
    broker.setReachable(true)
    driver.thaw()
  }
  return { clock, database, driver, trace, checks, met, calm }
}

/** What was accepted must come to its end. */
function settle({ clock, database, driver }: World, bound: number): number {
  const since = clock.now
  const left = () => database.store().work.size
  while (left() > 0 && !database.violation()) {
    driver.step()
    if (clock.now - since > bound * 1000)
      database.violate('liveness', `${left()} documents are not at their end ${bound} s after the last fault`)
  }
  return (clock.now - since) / 1000
}

function populate(stage: Stage, driver: Driver): void {
  const { chance } = stage
  const { enter, crash, freeze } = driver
  const victims: Actor[] = []
  const fateOf = (name: string): Fate => ({
    die: () => void crash({ name }, chance.between(100, 1_000)),
    freeze: () => freeze({ name }, freezeMs(chance)),
  })
  for (let index = chance.between(2, 3); index > 0; index -= 1) {
    const name = `dispatcher ${index}`
    victims.push(enter(name, (holder, spawn) => startDispatcher(stage, holder, spawn, fateOf(name))))
  }
  for (let index = chance.between(2, 4); index > 0; index -= 1) {
    const name = `worker ${index}`
    victims.push(enter(name, (_, spawn) => startWorker(stage, spawn, fateOf(name))))
  }
  enter('tenants', (_, spawn) => spawn(client(stage)))
  enter('chaos', (_, spawn) => spawn(chaos(stage, { victims, crash, freeze })))
}

/** Two of the tenants share a shard; the last byte decides. */
const TENANTS = ['acme-00', 'borealis-04', 'cirrus-01', 'delta-02']

function makePlaces(chance: Chance): readonly Place[] {
  const scopes = ['north', 'south'].slice(0, chance.between(1, 2))
  const documents = ['a', 'b', 'c', 'd', 'e', 'f']
  return TENANTS.slice(0, chance.between(2, TENANTS.length)).flatMap((tenant) =>
    scopes.flatMap((scope) => documents.map((document) => placeOf(tenant, scope, document))),
  )
}

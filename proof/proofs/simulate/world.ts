/**
 * One world of one seed: dispatchers, workers, tenants, a broker and a tables in virtual time, under faults first and in
 * calm afterwards. The same seed and the same rules give the same run, to the last step.
 */
import { chaos, freezeMs } from './actors/chaos.ts'
import { client } from './actors/client.ts'
import { startDispatcher } from './actors/dispatcher.ts'
import { operator } from './actors/operator.ts'
import { startWorker } from './actors/worker.ts'
import { createBroker } from './broker.ts'
import { createChance } from '../../harness/chance.ts'
import type { Chance } from '../../harness/chance.ts'
import { createChecks } from './checks.ts'
import { createDatabase } from './database.ts'
import { createDriver } from './driver.ts'
import type { Driver } from './driver.ts'
import { createTables, documentRefOf } from './rules.ts'
import type { DocumentRef, Rules } from './rules.ts'
import type { SimulationLimits, SimulateStage } from './stage.ts'
import { createTrace } from './trace.ts'
import { createWire } from './wire.ts'

export interface WorldOptions {
  readonly seed: number
  readonly rules: Rules
  readonly limits: SimulationLimits
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

export function runWorld(options: WorldOptions) {
  const { seed, stormSteps, settleSeconds } = options
  const world = createWorld(options)
  const { clock, database, driver, trace } = world
  while (clock.steps < stormSteps && !database.violation() && driver.step());
  world.calm()
  const settledSeconds = settle(world, settleSeconds)
  const broken = database.violation()
  const violation: Violation | undefined = broken && {
    ...broken,
    seed,
    step: clock.steps,
    lastSteps: trace.last(),
  }
  return {
    steps: clock.steps,
    virtualSeconds: clock.now / 1000,
    /** From the end of the faults to the end of the last document. */
    settledSeconds,
    violation,
    /** Counted over every step. */
    hash: trace.hash(),
    met: world.met,
    checked: world.checks.counts(),
  }
}

function createWorld({ seed, rules, limits }: WorldOptions) {
  const chance = createChance(seed)
  const broker = createBroker(chance)
  const refs = makeRefs(chance)
  const window = chance.between(1, 6)
  const clock = { now: 0, steps: 0 }
  const now = () => clock.now
  let stormy = true
  const met = new Map<string, number>()
  const meet = (what: string) => void met.set(what, (met.get(what) ?? 0) + 1)
  const trace = createTrace()
  const checks = createChecks({ window, maxStarts: limits.maxStarts, meet })
  const tables = createTables([...new Set(refs.map(({ scopeKey }) => scopeKey))])
  const database = createDatabase({ rules, tables, checks, trace, now })
  const capacity = chance.between(1, 3)
  const base = { rules, limits, broker, chance, window, capacity, refs, now, meet }
  const stage: SimulateStage = { ...base, tables: database.tables, isStormy: () => stormy }
  const wire = createWire(stage, database.ask)
  const driver = createDriver({ clock, chance, wire, trace, meet })
  populate(stage, driver)
  /** Faults stop here. */
  const calm = () => {
    stormy = false
    broker.setReachable(true)
    driver.thaw()
  }
  return { clock, database, driver, trace, checks, met, calm }
}

/** A document that was accepted must come to its end. */
function settle({ clock, database, driver }: ReturnType<typeof createWorld>, bound: number): number {
  const since = clock.now
  const left = () => database.tables().work.size
  while (left() > 0 && !database.violation()) {
    driver.step()
    if (clock.now - since > bound * 1000)
      database.violate('liveness', `${left()} documents are not at their end ${bound} s after the last fault`)
  }
  return (clock.now - since) / 1000
}

function populate(stage: SimulateStage, driver: Driver): void {
  const { chance } = stage
  const { enter } = driver
  const victims: string[] = []
  const fateOf = (name: string) => ({
    die: () => void driver.crash(name, chance.between(100, 1_000)),
    freeze: () => driver.freeze(name, freezeMs(chance)),
  })
  for (let index = chance.between(2, 3); index > 0; index -= 1) {
    const name = `dispatcher ${index}`
    victims.push(name)
    enter(name, (holder, spawn) => startDispatcher(stage, holder, spawn, fateOf(name)))
  }
  for (let index = chance.between(2, 4); index > 0; index -= 1) {
    const name = `worker ${index}`
    victims.push(name)
    enter(name, (_, spawn) => startWorker(stage, spawn, fateOf(name)))
  }
  enter('tenants', (_, spawn) => spawn(client(stage)))
  enter('operator', (_, spawn) => spawn(operator(stage)))
  enter('chaos', (_, spawn) => spawn(chaos(stage, driver, victims)))
}

/** Two of the tenants share a shard; the last byte decides. */
const TENANTS = ['acme-00', 'borealis-04', 'cirrus-01', 'delta-02']

function makeRefs(chance: Chance): readonly DocumentRef[] {
  const scopes = ['north', 'south'].slice(0, chance.between(1, 2))
  const documents = ['a', 'b', 'c', 'd', 'e', 'f']
  return TENANTS.slice(0, chance.between(2, TENANTS.length)).flatMap((tenant) =>
    scopes.flatMap((scope) => documents.map((document) => documentRefOf(tenant, scope, document))),
  )
}

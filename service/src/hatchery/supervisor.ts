/**
 * Sizes the worker pool of this host. Once a second the supervisor sends a heartbeat, reads the heartbeats of the other
 * hatcheries, and follows the wishes of the decider. If this hatchery is the decider, the supervisor decides by the
 * measured rates. While the broker is away there are no heartbeats and no rates, so the size of the pool stays as it
 * is.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Hatcheries } from '../app/health/hatcheries.ts'
import type { WorkMeter } from '../app/processing/work-meter.ts'
import { isDecider } from '../domain/hatchery.ts'
import type { HatcheryHeartbeat, RoleDecision, DesiredWorkers } from '../domain/hatchery.ts'
import { decideScaling, NO_MEMORY, distributeWorkers } from '../domain/scaling.ts'
import type { Host, ScalingLimits, ScalingMemory } from '../domain/scaling.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface SupervisorDeps {
  readonly self: Pick<HatcheryHeartbeat, 'id' | 'host' | 'pid' | 'startedAt'>
  readonly role: string
  readonly limits: ScalingLimits
  readonly pool: Pick<WorkerPool, 'resize' | 'counts'>
  readonly hatcheries: Hatcheries
  readonly meter: WorkMeter
  readonly isConnected: () => boolean
  readonly send: (heartbeat: HatcheryHeartbeat) => void
  /** Called with each decision for all hosts. */
  readonly emit: (decision: RoleDecision) => void
  readonly nowMs: () => number
  readonly monotonicMs: () => number
  readonly log: Log
}

const EVERY_MS = 1_000
/**
 * After the start the supervisor only listens for this long: the decider is known once every hatchery has sent a
 * heartbeat.
 */
const LISTEN_MS = 2_500
/** Older rates are not used for a decision. */
const STALE_MS = 4_000
const KEPT_DECISIONS = 10

export function createSupervisor(deps: SupervisorDeps): Part {
  const { self, role, limits, pool, hatcheries, monotonicMs } = deps
  const stopping = new AbortController()
  const since = monotonicMs()
  const decider = createDecider(deps)
  let wanted = limits.min
  let running: Promise<void> | undefined

  /**
   * Sets the wanted size of this pool. Returns the wishes for all hosts if this hatchery is the decider, and null
   * otherwise.
   */
  function decide(): readonly DesiredWorkers[] | null {
    const present = othersOf(hatcheries, self.id)
    if (!deps.isConnected() || monotonicMs() - since < LISTEN_MS) return null
    if (!isDecider(self.id, present)) {
      decider.forget()
      const [first] = present
      follow(first?.wishes ?? [])
      return null
    }
    const wishes = decider.decide([{ id: self.id, ...limits, wanted }, ...hostsIn(present, role)])
    follow(wishes)
    return wishes
  }

  /** Clamps the wish to the limits of this host. */
  function follow(wishes: readonly DesiredWorkers[]): void {
    const wish = wishes.find((each) => each.hatchery === self.id && each.role === role)
    if (wish) wanted = Math.min(limits.max, Math.max(limits.min, wish.wanted))
  }

  async function turn(): Promise<void> {
    await measureRates(deps)
    const wishes = decide()
    pool.resize(wanted)
    const broods = [{ role, ...limits, wanted, ...pool.counts() }]
    deps.send({ ...self, saidAt: deps.nowMs(), broods, decisions: decider.decisions(), wishes })
  }

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one turn at a time
      await turn()
      // oxlint-disable-next-line no-await-in-loop -- one turn at a time
      await delay(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  return {
    name: 'supervisor',
    async start() {
      pool.resize(wanted)
      running = repeat()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** The last heartbeats of the other hatcheries that are alive, sorted by id. */
function othersOf(hatcheries: Hatcheries, ownId: string): readonly HatcheryHeartbeat[] {
  return hatcheries
    .list()
    .filter(({ alive, heartbeat }) => alive && heartbeat.id !== ownId)
    .map(({ heartbeat }) => heartbeat)
}

async function measureRates({ meter, log }: SupervisorDeps): Promise<void> {
  const warn = (error: unknown) =>
    log.warn({ err: error }, 'the rates of work could not be measured, so the hatchery does not scale')
  await meter.sample().catch(warn)
}

/** A host and the size of its pool. */
interface SizedHost extends Host {
  readonly wanted: number
}

function hostsIn(heartbeats: readonly HatcheryHeartbeat[], role: string): SizedHost[] {
  return heartbeats.flatMap(({ id, broods }) =>
    broods.filter((each) => each.role === role).map(({ min, max, wanted }) => ({ id, min, max, wanted })),
  )
}

/** Decides for all hosts while this hatchery is the decider. */
function createDecider({ role, meter, monotonicMs, nowMs, log, emit }: SupervisorDeps) {
  let total: number | undefined
  let memory: ScalingMemory = NO_MEMORY
  let decisions: readonly RoleDecision[] = []

  function record(decision: RoleDecision): void {
    decisions = [decision, ...decisions].slice(0, KEPT_DECISIONS)
    log.info(decision, 'scaling decided')
    emit(decision)
  }

  return {
    decisions: () => decisions,
    forget(): void {
      total = undefined
      memory = NO_MEMORY
    },
    decide(hosts: readonly SizedHost[]): readonly DesiredWorkers[] {
      const sum = (of: (host: SizedHost) => number) => hosts.reduce((all, host) => all + of(host), 0)
      // A new decider starts from the current sizes.
      const before = total ?? sum((host) => host.wanted)
      const rates = meter.read()
      const all = { min: sum((host) => host.min), max: sum((host) => host.max) }
      total = Math.min(all.max, Math.max(all.min, before))
      if (rates && rates.ageMs < STALE_MS) {
        const scaling = decideScaling(monotonicMs(), before, rates, all, memory)
        memory = scaling.memory
        total = scaling.wanted
        if (scaling.reason !== null)
          record({ at: nowMs(), role, from: before, to: total, reason: scaling.reason })
      }
      return [...distributeWorkers(total, hosts)].map(([hatchery, wanted]) => ({ hatchery, role, wanted }))
    },
  }
}

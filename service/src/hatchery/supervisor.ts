/**
 * One supervisor a host. Each second it says what it has, hears what the others have, and follows the wishes of the one
 * among them that decides; if that is itself, it decides by the measured rates. Without the broker nobody is heard and
 * nothing is measured: what was wanted last stays wanted.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Hatcheries } from '../app/health/hatcheries.ts'
import type { WorkMeter } from '../app/processing/work-meter.ts'
import { isDecider } from '../domain/hatchery.ts'
import type { HatcherySaid, RoleDecision, Wish } from '../domain/hatchery.ts'
import { decideScaling, NO_MEMORY, shareOut } from '../domain/scaling.ts'
import type { Host, ScalingLimits, ScalingMemory } from '../domain/scaling.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { RunningBrood } from './brood.ts'

export interface SupervisorDeps {
  readonly self: Pick<HatcherySaid, 'id' | 'host' | 'pid' | 'startedAt'>
  readonly role: string
  readonly limits: ScalingLimits
  readonly brood: Pick<RunningBrood, 'want' | 'counts'>
  readonly hatcheries: Hatcheries
  readonly meter: WorkMeter
  readonly isConnected: () => boolean
  readonly say: (said: HatcherySaid) => void
  /** A decision for all hosts. */
  readonly tell: (decision: RoleDecision) => void
  readonly nowMs: () => number
  readonly monotonicMs: () => number
  readonly log: Log
}

const EVERY_MS = 1_000
/** So long it only listens: who decides is known when all have been heard. */
const LISTEN_MS = 2_500
/** Older figures are no ground for a decision. */
const STALE_MS = 4_000
const KEPT_DECISIONS = 10

export function createSupervisor(deps: SupervisorDeps): Part {
  const { self, role, limits, brood, hatcheries, meter, monotonicMs } = deps
  const stopping = new AbortController()
  const since = monotonicMs()
  const decider = createDecider(deps)
  let wanted = limits.min
  let running: Promise<void> | undefined

  /** By id, as they are heard. */
  const others = () =>
    hatcheries
      .heard()
      .filter(({ alive, said }) => alive && said.id !== self.id)
      .map(({ said }) => said)

  /** Decides the size of this host, and what it wishes of the others if it is the one that decides. */
  function judge(): readonly Wish[] | null {
    const heard = others()
    if (!deps.isConnected() || monotonicMs() - since < LISTEN_MS) return null
    if (!isDecider(self.id, heard)) {
      decider.forget()
      const [first] = heard
      obey(first?.wishes ?? [])
      return null
    }
    const wishes = decider.decide([{ id: self.id, ...limits, wanted }, ...hostsIn(heard, role)])
    obey(wishes)
    return wishes
  }

  /** No more and no fewer than this host may have, whoever wishes it. */
  function obey(wishes: readonly Wish[]): void {
    const wish = wishes.find((each) => each.hatchery === self.id && each.role === role)
    if (wish) wanted = Math.min(limits.max, Math.max(limits.min, wish.wanted))
  }

  async function turn(): Promise<void> {
    await meter
      .sample()
      .catch((error: unknown) =>
        deps.log.warn({ err: error }, 'the rates of work could not be measured; nothing is scaled meanwhile'),
      )
    const wishes = judge()
    brood.want(wanted)
    const broods = [{ role, ...limits, wanted, ...brood.counts() }]
    deps.say({ ...self, saidAt: deps.nowMs(), broods, decisions: decider.decisions(), wishes })
  }

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one turn after the other
      await turn()
      // oxlint-disable-next-line no-await-in-loop -- one turn after the other
      await delay(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  return {
    name: 'supervisor',
    async start() {
      brood.want(wanted)
      running = repeat()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** One host, and what it means to have. */
interface WantingHost extends Host {
  readonly wanted: number
}

function hostsIn(heard: readonly HatcherySaid[], role: string): WantingHost[] {
  return heard.flatMap(({ id, broods }) =>
    broods.filter((each) => each.role === role).map(({ min, max, wanted }) => ({ id, min, max, wanted })),
  )
}

/** Decides for all hosts, as long as it is the one that does. */
function createDecider({ role, meter, monotonicMs, nowMs, log, tell }: SupervisorDeps) {
  let total: number | undefined
  let memory: ScalingMemory = NO_MEMORY
  let decisions: readonly RoleDecision[] = []

  function note(decision: RoleDecision): void {
    decisions = [decision, ...decisions].slice(0, KEPT_DECISIONS)
    log.info(decision, 'scaling decided')
    tell(decision)
  }

  return {
    decisions: () => decisions,
    forget(): void {
      total = undefined
      memory = NO_MEMORY
    },
    decide(hosts: readonly WantingHost[]): readonly Wish[] {
      const sum = (of: (host: WantingHost) => number) => hosts.reduce((all, host) => all + of(host), 0)
      // A hatchery that begins to decide goes on from what there is.
      const before = total ?? sum((host) => host.wanted)
      const figures = meter.read()
      const all = { min: sum((host) => host.min), max: sum((host) => host.max) }
      total = Math.min(all.max, Math.max(all.min, before))
      if (figures && figures.ageMs < STALE_MS) {
        const scaling = decideScaling(monotonicMs(), before, figures, all, memory)
        memory = scaling.memory
        total = scaling.wanted
        if (scaling.reason !== null)
          note({ at: nowMs(), role, from: before, to: total, reason: scaling.reason })
      }
      return [...shareOut(total, hosts)].map(([hatchery, wanted]) => ({ hatchery, role, wanted }))
    },
  }
}

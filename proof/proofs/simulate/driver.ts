/**
 * Runs programs in virtual time, one event a step. A command takes two: it has its effect where it arrives, and later
 * its answer comes back. A crash may fall between them, and what was already sent may arrive after its sender died.
 */
import type { Chance } from '../../harness/chance.ts'
import type { Program } from './programs.ts'
import { createTimeline } from './timeline.ts'
import type { Timeline } from './timeline.ts'
import type { SimulationTrace } from './trace.ts'
import type { SimulatedWire } from './wire.ts'

/** Each life has a name of its own, as each process has. */
type Start = (name: string, spawn: (program: Program) => void) => void

interface Actor {
  readonly name: string
  readonly start: Start
  /** Raised by a crash: what belongs to an earlier life is over. */
  life: number
  frozenUntil: number
  isDown: boolean
}

interface Thread {
  readonly actor: Actor
  readonly life: number
  readonly program: Program
}

interface Event {
  readonly what: string
  /** None for what the world itself does. */
  readonly thread: Thread | undefined
  /** Already sent: it arrives whether its sender is frozen or not. */
  readonly onWire: boolean
  run(): void
}

interface DriverDeps {
  readonly clock: { now: number; steps: number }
  readonly chance: Chance
  readonly wire: SimulatedWire
  readonly trace: SimulationTrace
  readonly meet: (what: string) => void
}

export type Driver = ReturnType<typeof createDriver>

export function createDriver(deps: DriverDeps) {
  const { clock, meet } = deps
  const timeline = createTimeline<Event>()
  const actors = new Map<string, Actor>()
  const begin = (actor: Actor) => {
    const { life, name } = actor
    Object.assign(actor, { isDown: false, frozenUntil: 0 })
    actor.start(`${name}.${life}`, (program) => advance(deps, timeline, { actor, life, program }, undefined))
  }
  return {
    enter(name: string, start: Start): void {
      const actor: Actor = { name, life: 0, frozenUntil: 0, isDown: false, start }
      actors.set(name, actor)
      begin(actor)
    },
    /** The next event; false when there is none. */
    step(): boolean {
      const next = timeline.next()
      if (!next) return false
      clock.now = next.at
      if (!isOver(deps, next.event)) happen(deps, timeline, next.event)
      return true
    },
    /** Returns the name of the life that ended; undefined when it was down already. */
    crash(name: string, restartAfterMs: number): string | undefined {
      const actor = actors.get(name)
      if (!actor || actor.isDown) return undefined
      meet(`a ${kindOf(name)} crashes`)
      const ended = `${name}.${actor.life}`
      actor.life += 1
      actor.isDown = true
      const run = () => begin(actor)
      const event = { what: `starts ${name}`, thread: undefined, onWire: true, run }
      timeline.plan(clock.now + restartAfterMs, event)
      return ended
    },
    freeze(name: string, ms: number): void {
      const actor = actors.get(name)
      if (!actor || actor.isDown || actor.frozenUntil > clock.now) return
      meet(`a ${kindOf(name)} freezes and thaws`)
      actor.frozenUntil = clock.now + ms
    },
    thaw: () => actors.forEach((actor) => void (actor.frozenUntil = 0)),
  }
}

function happen({ clock, chance, trace }: DriverDeps, timeline: Timeline<Event>, event: Event): void {
  const { thread, onWire, what } = event
  const thawsAt = thread?.actor.frozenUntil ?? 0
  if (!onWire && thawsAt > clock.now) return timeline.plan(thawsAt + chance.between(0, 5), event)
  clock.steps += 1
  trace.note(`${clock.now} ${thread?.actor.name ?? 'world'}: ${what}`)
  event.run()
}

function isOver({ chance, meet }: DriverDeps, { thread, onWire }: Event): boolean {
  if (!thread || thread.life === thread.actor.life) return false
  if (!onWire || chance.happens(0.5)) return true
  meet('a command arrives after its sender crashed')
  return false
}

/** Runs the program up to its next command and plans what becomes of that. */
function advance(deps: DriverDeps, timeline: Timeline<Event>, thread: Thread, result: unknown): void {
  const { clock, wire } = deps
  const { done, value: command } = thread.program.next(result)
  if (done) return
  const plan = (ms: number, what: string, onWire: boolean, run: () => void) =>
    timeline.plan(clock.now + ms, { what, thread, onWire, run })
  const goOn = (ms: number, answer: unknown) =>
    plan(ms, 'goes on', false, () => advance(deps, timeline, thread, answer))
  if (command.to === 'clock') return goOn(command.ms, undefined)
  const what = command.to === 'postgres' ? `asks to ${command.kind}` : command.what
  plan(wire.latency(), what, true, () => goOn(wire.latency(), wire.arrive(command)))
}

function kindOf(name: string): string {
  return name.split(' ')[0] ?? name
}

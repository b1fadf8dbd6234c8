/**
 * Runs programs in virtual time, one event a step. A command takes two: it has its effect where it arrives, and later
 * its answer comes back. A crash may fall between them, and what was already sent may arrive after its sender died.
 */
import type { Levers, Victim } from './actors/chaos.ts'
import type { Chance } from '../../harness/chance.ts'
import type { Program } from './programs.ts'
import { createTimeline } from './timeline.ts'
import type { Timeline } from './timeline.ts'
import type { Trace } from './trace.ts'
import type { Wire } from './wire.ts'

export interface Actor extends Victim {
  /** Raised by a crash: what belongs to an earlier life is over. */
  life: number
  frozenUntil: number
  isDown: boolean
  readonly start: Start
}

/** Each life has a name of its own, as each process has. */
export type Start = (name: string, spawn: (program: Program) => void) => void

export interface Clock {
  now: number
  steps: number
}

export interface DriverDeps {
  readonly clock: Clock
  readonly chance: Chance
  readonly wire: Wire
  readonly trace: Trace
  readonly meet: (what: string) => void
}

export interface Driver extends Pick<Levers, 'crash' | 'freeze'> {
  enter(name: string, start: Start): Actor
  /** The next event; false when there is none. */
  step(): boolean
  thaw(): void
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

export function createDriver(deps: DriverDeps): Driver {
  const { clock, meet } = deps
  const timeline = createTimeline<Event>()
  const actors: Actor[] = []
  const actorOf = ({ name }: Victim) => actors.find((actor) => actor.name === name)
  const begin = (actor: Actor) => {
    const { life } = actor
    actor.isDown = false
    actor.frozenUntil = 0
    actor.start(`${actor.name}.${life}`, (program) =>
      advance(deps, timeline, { actor, life, program }, undefined),
    )
  }
  return {
    enter(name, start) {
      const actor: Actor = { name, life: 0, frozenUntil: 0, isDown: false, start }
      actors.push(actor)
      begin(actor)
      return actor
    },
    step() {
      const next = timeline.next()
      if (!next) return false
      clock.now = next.at
      if (!isOver(deps, next.event)) happen(deps, timeline, next.event)
      return true
    },
    crash(victim, restartAfterMs) {
      const actor = actorOf(victim)
      if (!actor || actor.isDown) return undefined
      const name = `${actor.name}.${actor.life}`
      meet(`a ${kindOf(actor)} crashes`)
      actor.life += 1
      actor.isDown = true
      const run = () => begin(actor)
      timeline.plan(clock.now + restartAfterMs, {
        what: `starts ${actor.name}`,
        thread: undefined,
        onWire: true,
        run,
      })
      return name
    },
    freeze(victim, ms) {
      const actor = actorOf(victim)
      if (!actor || actor.isDown || actor.frozenUntil > clock.now) return
      meet(`a ${kindOf(actor)} freezes and thaws`)
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
  const goOn = (ms: number, answer: unknown) =>
    timeline.plan(clock.now + ms, {
      what: 'goes on',
      thread,
      onWire: false,
      run: () => advance(deps, timeline, thread, answer),
    })
  if (command.to === 'clock') return goOn(command.ms, undefined)
  timeline.plan(clock.now + wire.latency(), {
    what: command.to === 'postgres' ? `asks to ${command.kind}` : command.what,
    thread,
    onWire: true,
    run: () => goOn(wire.latency(), wire.arrive(command)),
  })
}

function kindOf({ name }: Victim): string {
  return name.split(' ')[0] ?? name
}

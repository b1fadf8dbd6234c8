/**
 * A lane: a crew of children that take tasks from one source. A child that ends takes one task with it at most, the
 * one it was reading; those that waited behind it are put back and lose nothing but time.
 */
import type { ChildProcess } from 'node:child_process'
import type { FailureReason } from '../../domain/attempt.ts'
import type { Log } from '../../platform/log.ts'
import { openChild } from './child.ts'
import type { ChildAnswer, SandboxChild, Exit } from './child.ts'
import { createCrew } from './crew.ts'
import type { Job } from './job.ts'
import { describeExit } from './verdict.ts'

export interface LaneOptions<Result> {
  readonly name: string
  readonly size: number
  readonly spares: number
  readonly sparesAfterMs: number
  /** How many tasks a child may have in flight. */
  readonly depth: number
  readonly memoryMb: number
  readonly log: Log
  launch(): ChildProcess
  /** For a child that has given so many answers. */
  allowanceOf(job: Job<Result>, answered: number): number
  take(): Job<Result> | undefined
  /** Gives a spare a job to do meanwhile. */
  takeForSpare(): Job<Result> | undefined
  putBack(job: Job<Result>): void
  answered(job: Job<Result>, answer: ChildAnswer): void
  /** A child ended by itself with this job in hand. */
  lost(job: Job<Result>, exit: Exit): void
  killed(reason: KillReason): void
}

/** `garbled`: its answers made no sense. `spent`: it held too much memory between two tasks. `recycled`: it was asked for. */
export type KillReason =
  | Exclude<FailureReason, 'threw' | 'crashed'>
  | 'aborted'
  | 'garbled'
  | 'spent'
  | 'recycled'

interface Kill<Result> {
  readonly reason: KillReason
  readonly atMs: number
  readonly peakMb: number
  /** The job it is killed for, and what is to become of that; all others are put back. */
  readonly culprit?: Job<Result> | undefined
  readonly decide?: ((job: Job<Result>) => void) | undefined
}

export interface ChildLane<Result> {
  start(): Promise<void>
  stop(): Promise<void>
  /** Hands out what there is, as far as there is room. */
  feed(): void
  /** Every living child, spares included. */
  children(): readonly SandboxChild<Result>[]
  /** Ends a child for what it is reading; `decide` then says what becomes of that. */
  kill(child: SandboxChild<Result>, reason: KillReason, decide?: (job: Job<Result>) => void): void
  restarts(): number
}

/** So that a pile of long texts does not wait behind one. */
const CHARACTERS_IN_HAND = 16 * 1024

/** Stands for the exit of a child that was killed because it could not be understood. */
const GARBLED: Exit = { code: null, signal: 'SIGKILL', outOfHeap: false, lastWords: '' }

export function createLane<Result>(options: LaneOptions<Result>): ChildLane<Result> {
  const kills = new Map<SandboxChild<Result>, Kill<Result>>()
  const crew = createCrew<SandboxChild<Result>>({
    size: options.size,
    spares: options.spares,
    sparesAfterMs: options.sparesAfterMs,
    hatch,
    ended(child, exit) {
      const cause = kills.get(child)
      kills.delete(child)
      reportEnd(options, child, exit, cause)
      shareOut(options, child, exit, cause)
      feed()
    },
  })
  let feedPending = false

  function hatch(): SandboxChild<Result> {
    const child = openChild<Result>(options.launch(), options.memoryMb, {
      ready() {
        crew.noteReady()
        feed()
      },
      answered(job, answer) {
        options.answered(job, answer)
        feed()
      },
      spent: () => kill(child, 'spent'),
      garbled: () => kill(child, 'garbled', (job) => options.lost(job, GARBLED)),
    })
    return child
  }

  // Once for all that happened in this turn of the event loop, so that several tasks leave in one write.
  function feed(): void {
    if (feedPending) return
    feedPending = true
    queueMicrotask(() => {
      feedPending = false
      feedWorkers()
      feedSpares()
    })
  }

  function feedWorkers(): void {
    for (let child = roomiest(); child; child = roomiest()) {
      const job = options.take()
      if (!job) return
      child.hand(job, options.allowanceOf(job, child.answered()))
    }
  }

  function feedSpares(): void {
    for (const child of crew.spares()) {
      const job = child.inFlight().length === 0 ? options.takeForSpare() : undefined
      if (job) child.hand(job, options.allowanceOf(job, child.answered()))
    }
  }

  /** By how much there is to read and not by how many: behind one long text it is a long wait. */
  function roomiest(): SandboxChild<Result> | undefined {
    let best: SandboxChild<Result> | undefined
    for (const child of crew.workers())
      if (hasRoom(child, options.depth) && (!best || child.charactersInFlight() < best.charactersInFlight()))
        best = child
    return best
  }

  function kill(child: SandboxChild<Result>, reason: KillReason, decide?: (job: Job<Result>) => void): void {
    if (kills.has(child)) return
    const culprit = decide && child.inFlight()[0]?.job
    kills.set(child, { reason, atMs: performance.now(), peakMb: child.gauge.peakMb(), culprit, decide })
    options.killed(reason)
    child.kill()
  }

  return { start: crew.start, stop: crew.stop, feed, children: crew.alive, kill, restarts: crew.restarts }
}

/** Nothing waits behind a long text: it goes to whichever child is done first. Reading it takes so long that fetching the next is nothing. */
function hasRoom(child: SandboxChild<unknown>, depth: number): boolean {
  const held = child.inFlight().length
  return held === 0 || (held < depth && child.charactersInFlight() < CHARACTERS_IN_HAND)
}

function shareOut<Result>(
  options: LaneOptions<Result>,
  child: SandboxChild<Result>,
  exit: Exit,
  kill: Kill<Result> | undefined,
): void {
  const jobs = child.inFlight().map((held) => held.job)
  // Whom a kill was meant for may have answered in the last moment; then nobody is to blame.
  const culprit = kill ? kill.culprit : jobs[0]
  for (const job of jobs) {
    if (job.isOver()) continue
    if (job !== culprit) options.putBack(job)
    else if (kill) kill.decide?.(job)
    else options.lost(job, exit)
  }
}

function reportEnd<Result>(
  { name, log }: LaneOptions<Result>,
  child: SandboxChild<Result>,
  exit: Exit,
  kill: Kill<Result> | undefined,
): void {
  const task = kill ? kill.culprit?.task.id : child.inFlight()[0]?.job.task.id
  const killed = kill && {
    reason: kill.reason,
    kill_ms: Math.round(performance.now() - kill.atMs),
    peak_mb: Math.round(kill.peakMb),
  }
  // The last words of a child may hold content, unless it never had any.
  const said = child.wasReady() ? {} : { said: exit.lastWords }
  const end = { lane: name, pid: child.pid, task, ...killed, exit: describeExit(exit), ...said }
  log.warn(end, 'a reading process ended')
}

/**
 * A pool is a pool of children that take jobs from one source. A child that exits fails at most one job, the one it was
 * reading. The jobs behind it are put back and lose nothing but time.
 */
import type { ChildProcess } from 'node:child_process'
import type { FailureReason } from '../../domain/attempt.ts'
import type { Log } from '../../platform/log.ts'
import { openChild } from './child.ts'
import type { ChildAnswer, SandboxChild, Exit } from './child.ts'
import { createChildPool } from './child-pool.ts'
import type { ChildPool } from './child-pool.ts'
import type { Job } from './job.ts'
import { describeExit } from './verdict.ts'

export interface ReadingPoolOptions<Result> {
  readonly name: string
  readonly size: number
  readonly spares: number
  readonly sparesAfterMs: number
  /** How many tasks a child may have in flight. */
  readonly depth: number
  readonly memoryMb: number
  readonly log: Log
  launch(): ChildProcess
  /** The time for the job in a child that has given this many answers. */
  allowanceOf(job: Job<Result>, answered: number): number
  take(): Job<Result> | undefined
  /** Returns a job for an idle spare. */
  takeForSpare(): Job<Result> | undefined
  /** Returns a job that an idle spare reads at once if all working children are busy. */
  takeUrgent(): Job<Result> | undefined
  putBack(job: Job<Result>): void
  answered(job: Job<Result>, answer: ChildAnswer): void
  /** A child exited by itself while it read this job. */
  lost(job: Job<Result>, exit: Exit): void
  killed(reason: KillReason): void
}

/**
 * `garbled`: the child sent invalid frames. `spent`: it held too much memory between two tasks. `recycled`: `recycle`
 * was called.
 */
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
  /** The job that the child is killed for, and the callback that decides about it. All other jobs are put back. */
  readonly culprit?: Job<Result> | undefined
  readonly decide?: ((job: Job<Result>) => void) | undefined
}

export interface ReadingPool<Result> {
  start(): Promise<void>
  stop(): Promise<void>
  /** Assigns waiting jobs to children with room. */
  feed(): void
  /** Every child that runs, including spares. */
  children(): readonly SandboxChild<Result>[]
  /** Kills a child because of the job it is reading; `decide` then decides about the job. */
  kill(child: SandboxChild<Result>, reason: KillReason, decide?: (job: Job<Result>) => void): void
  restarts(): number
}

/** Bounds the text that waits in one child, so that many long texts do not wait behind one. */
const MAX_CHARACTERS_IN_FLIGHT = 16 * 1024

/** Stands for the exit of a child that was killed for invalid frames. */
const GARBLED: Exit = { code: null, signal: 'SIGKILL', outOfHeap: false, stderrTail: '' }

export function createReadingPool<Result>(options: ReadingPoolOptions<Result>): ReadingPool<Result> {
  const kills = new Map<SandboxChild<Result>, Kill<Result>>()
  const childPool = createChildPool<SandboxChild<Result>>({
    size: options.size,
    spares: options.spares,
    sparesAfterMs: options.sparesAfterMs,
    spawn: spawnChild,
    ended(child, exit) {
      const cause = kills.get(child)
      kills.delete(child)
      reportEnd(options, child, exit, cause)
      returnJobs(options, child, exit, cause)
      feed()
    },
  })
  let feedPending = false

  function spawnChild(): SandboxChild<Result> {
    const child = openChild<Result>(options.launch(), options.memoryMb, {
      ready() {
        childPool.onReady()
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

  // Runs once for each turn of the event loop, so that several tasks leave in one write.
  function feed(): void {
    if (feedPending) return
    feedPending = true
    queueMicrotask(() => {
      feedPending = false
      feedUrgent(options, childPool)
      feedWorkers(options, childPool)
      feedSpares(options, childPool)
    })
  }

  function kill(child: SandboxChild<Result>, reason: KillReason, decide?: (job: Job<Result>) => void): void {
    if (kills.has(child)) return
    const culprit = decide && child.inFlight()[0]?.job
    kills.set(child, { reason, atMs: performance.now(), peakMb: child.gauge.peakMb(), culprit, decide })
    options.killed(reason)
    child.kill()
  }

  return {
    start: childPool.start,
    stop: childPool.stop,
    feed,
    children: childPool.alive,
    kill,
    restarts: childPool.restarts,
  }
}

type Children<Result> = Pick<ChildPool<SandboxChild<Result>>, 'workers' | 'spares'>

function assign<Result>(
  { allowanceOf }: Pick<ReadingPoolOptions<Result>, 'allowanceOf'>,
  child: SandboxChild<Result>,
  job: Job<Result>,
): void {
  child.assign(job, allowanceOf(job, child.answered()))
}

/** Behind the tasks that a working child has in flight, an urgent one would wait for all of them. */
function feedUrgent<Result>(options: ReadingPoolOptions<Result>, children: Children<Result>): void {
  if (children.workers().some(isIdle)) return
  for (const child of children.spares().filter(isIdle)) {
    const job = options.takeUrgent()
    if (!job) return
    assign(options, child, job)
  }
}

function feedWorkers<Result>(options: ReadingPoolOptions<Result>, children: Children<Result>): void {
  for (;;) {
    const child = findFreest(children.workers(), options.depth)
    if (!child) return
    const job = options.take()
    if (!job) return
    assign(options, child, job)
  }
}

function feedSpares<Result>(options: ReadingPoolOptions<Result>, children: Children<Result>): void {
  for (const child of children.spares().filter(isIdle)) {
    const job = options.takeForSpare()
    if (job) assign(options, child, job)
  }
}

/** Compares characters in flight, not jobs: behind one long text the wait is long. */
function findFreest<Result>(
  children: readonly SandboxChild<Result>[],
  depth: number,
): SandboxChild<Result> | undefined {
  let best: SandboxChild<Result> | undefined
  for (const child of children)
    if (hasRoom(child, depth) && (!best || child.charactersInFlight() < best.charactersInFlight()))
      best = child
  return best
}

function isIdle(child: SandboxChild<unknown>): boolean {
  return child.inFlight().length === 0
}

/**
 * No job waits behind a long text: it goes to the child that is free first. Compared with the long text, fetching the
 * next job takes no time.
 */
function hasRoom(child: SandboxChild<unknown>, depth: number): boolean {
  const held = child.inFlight().length
  return held === 0 || (held < depth && child.charactersInFlight() < MAX_CHARACTERS_IN_FLIGHT)
}

function returnJobs<Result>(
  options: ReadingPoolOptions<Result>,
  child: SandboxChild<Result>,
  exit: Exit,
  kill: Kill<Result> | undefined,
): void {
  const jobs = child.inFlight().map((held) => held.job)
  // The culprit may have been answered just before the kill. Then no job is to blame.
  const culprit = kill ? kill.culprit : jobs[0]
  for (const job of jobs) {
    if (job.isOver()) continue
    if (job !== culprit) options.putBack(job)
    else if (kill) kill.decide?.(job)
    else options.lost(job, exit)
  }
}

function reportEnd<Result>(
  { name, log }: ReadingPoolOptions<Result>,
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
  // The stderr of a child may contain content once the child has had a task.
  const stderr = child.wasReady() ? {} : { stderr: exit.stderrTail }
  const end = { pool: name, pid: child.pid, task, ...killed, exit: describeExit(exit), ...stderr }
  log.warn(end, 'a reading process ended')
}

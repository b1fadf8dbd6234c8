/**
 * Where documents are read: in child processes that a document may crash, hang or fill without harm to this process or
 * to the documents beside it. Each task ends in one of a closed set of outcomes, and only the task that caused it is
 * blamed.
 *
 * Two lanes. The fast lane reads at full speed, several tasks ahead, and gives each no more time than its length makes
 * plausible. What needs longer, or failed before, goes to the slow lane, which gives way to everybody else and rests between two tasks. While nobody
 * wants the fast lane, its spare helps out there.
 *
 * Measured on two shared cores: 23,000 tasks/s of 2,000 characters with nothing to do, at 38 µs of this process and
 * 20 µs of a child; a runaway costs its neighbours about 13 ms, the start of a child 100 ms of work.
 */
import type { ReadingOutcome, ReadingTask } from '../domain/attempt.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { ChildAnswer, SandboxChild, Exit } from './sandbox/child.ts'
import { openCodeCache } from '../platform/code-cache.ts'
import { codes } from './sandbox/frames.ts'
import { allowanceOf, createJob } from './sandbox/job.ts'
import type { Job, Limits } from './sandbox/job.ts'
import { createLane } from './sandbox/lane.ts'
import type { ChildLane } from './sandbox/lane.ts'
import { launchChild } from './sandbox/launch.ts'
import { createRest } from './sandbox/rest.ts'
import type { Rest } from './sandbox/rest.ts'
import { createCounters } from './sandbox/tally.ts'
import type { Counters, SandboxCounters } from './sandbox/tally.ts'
import { memoryExceeded, verdictOnAnswer, verdictOnExit, verdictOnOverrun } from './sandbox/verdict.ts'
import type { SandboxVerdict } from './sandbox/verdict.ts'
import { createWaiting } from './sandbox/waiting.ts'
import type { JobQueue } from './sandbox/waiting.ts'
import { createWatch } from './sandbox/watch.ts'
import type { ChildWatch } from './sandbox/watch.ts'

export interface SandboxOptions<Result> {
  /** The child's script, which calls `serveTasks`. */
  readonly entry: URL | string
  /** Children of the fast lane; one per core is enough. */
  readonly size: number
  readonly slowSize: number
  /** The spare and the slow lane come up so long after the start: whoever works is there sooner without them. */
  readonly othersAfterMs: number
  readonly limits: Limits
  /** How long a look may take by the clock in each lane; `WALL_MS` where it is not given. */
  readonly wallMs?: { readonly fast: number; readonly slow: number }
  /** More than these do not wait until the slow lane has rested. */
  readonly maxWaiting: number
  /** After this time without a task for the fast lane its spare helps the slow one out. */
  readonly quietMs: number
  /** Decodes the result of the handler of a child. The bytes are valid until it returns. */
  readonly decode: (body: Buffer) => Result
  readonly log: Log
}

export interface SandboxStats extends SandboxCounters {
  /** Alive now, spares included. */
  readonly children: number
  readonly busy: number
  /** Tasks that no child has in flight. */
  readonly waiting: number
  /** How many of those wait for the slow lane. */
  readonly waitingSlow: number
  /** Children that ended, for whatever reason, and were replaced. */
  readonly restarts: number
}

export interface RunOptions {
  readonly signal?: AbortSignal
  /** The task waits for the slow lane from now on, and that may take long. */
  onSlow?(): void
}

export interface Sandbox<Result> extends Part {
  /**
   * Never rejects for what a document does. Rejects when the signal aborts or the sandbox stops: then nothing is known
   * of the document, and it is not to blame.
   */
  run(task: ReadingTask, options?: RunOptions): Promise<ReadingOutcome<Result>>
  /** Ends every child and starts others; what they had in flight is read again. */
  recycle(): void
  stats(): SandboxStats
}

/** Enough to keep a child busy while the parent sleeps; more would only wait behind a runaway. */
const FAST_DEPTH = 8

/** A text came so shortly ago that more are likely; a worker that waits for Postgres is not at rest. */
const WANTED_MS = 1_000
/** How often the slow lane looks whether its rest is over. */
const LOOK_MS = 100

/** How long a look may take by the clock. Both together are well below the 45 s after which an attempt is taken for lost. */
const WALL_MS = { fast: 5_000, slow: 15_000 }

export function createSandbox<Result>(options: SandboxOptions<Result>): Sandbox<Result> {
  const waiting = createWaiting<Result>()
  const counters = createCounters()
  const parts: LaneParts<Result> = { waiting, counters, follow }
  const { fast, slow } = createLanes(options, parts)
  const { limits, wallMs = WALL_MS } = options
  const watches = [
    watchLane(fast, { limits, maxWallMs: wallMs.fast }, parts),
    watchLane(slow, { limits, maxWallMs: wallMs.slow }, parts),
  ]
  const open = new Set<Job<Result>>()
  let running = false
  let checks: NodeJS.Timeout[] = []
  let slowStart: NodeJS.Timeout | undefined

  function follow(job: Job<Result>, verdict: SandboxVerdict<Result>): void {
    if (job.isOver()) return
    if (verdict.kind === 'look again') return enqueue(job.again())
    counters.noteOutcome(verdict)
    job.settle(verdict)
  }

  function enqueue(job: Job<Result>): void {
    if (job.place === 'slow') job.onSlow()
    waiting.add(job)
    // The spare of the fast lane first, where it may: it has the higher priority.
    fast.feed()
    slow.feed()
  }

  /** At a first look a task nobody waits for is over within its slice, which is cheaper than a new process. */
  function abandon(job: Job<Result>, error: unknown): void {
    job.abandon(error)
    for (const lane of [slow, fast])
      for (const child of lane.children()) {
        const reading = child.inFlight()[0]?.job
        if (reading?.place === 'slow' && reading.task === job.task) lane.kill(child, 'aborted')
      }
  }

  return {
    name: 'sandbox',
    async start() {
      slowStart = startLater(slow, options)
      await fast.start().catch(async (error: unknown) => {
        await Promise.all([fast.stop(), slow.stop()])
        throw error
      })
      for (const watch of watches) watch.start()
      checks = [setInterval(fast.feed, options.quietMs).unref(), setInterval(slow.feed, LOOK_MS).unref()]
      running = true
    },
    async stop() {
      running = false
      clearTimeout(slowStart)
      for (const check of checks) clearInterval(check)
      for (const watch of watches) watch.stop()
      for (const job of open) job.abandon(new Error('The sandbox stopped before the document was read.'))
      waiting.clear()
      await Promise.all([fast.stop(), slow.stop()])
    },
    async run(task, { signal, onSlow } = {}) {
      if (!running) throw new Error('The sandbox is not running; start it before handing it tasks.')
      signal?.throwIfAborted()
      const { job, outcome } = createJob<Result>(task, onSlow)
      const abort = () => abandon(job, signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      open.add(job)
      enqueue(job)
      return outcome.finally(() => {
        signal?.removeEventListener('abort', abort)
        open.delete(job)
      })
    },
    recycle() {
      for (const lane of [fast, slow]) for (const child of lane.children()) lane.kill(child, 'recycled')
    },
    stats: () => ({ ...countAll([fast, slow], waiting), ...counters.read() }),
  }
}

interface LaneParts<Result> {
  readonly waiting: JobQueue<Result>
  readonly counters: Counters
  follow(job: Job<Result>, verdict: SandboxVerdict<Result>): void
}

function createLanes<Result>(
  { entry, size, slowSize, othersAfterMs, limits, maxWaiting, quietMs, decode, log }: SandboxOptions<Result>,
  { waiting, counters, follow }: LaneParts<Result>,
): Record<'fast' | 'slow', ChildLane<Result>> {
  const common = {
    memoryMb: limits.memoryMb,
    sparesAfterMs: othersAfterMs,
    log,
    allowanceOf: (job: Job<Result>, answered: number) => allowanceOf(job, limits, answered),
    putBack: waiting.putBack,
    answered(job: Job<Result>, answer: ChildAnswer) {
      if (answer.code === codes.overran) counters.noteInterrupt()
      follow(job, verdictOnAnswer(job, answer, { limits, decode }))
    },
    lost: (job: Job<Result>, exit: Exit) => follow(job, verdictOnExit(exit, limits)),
    killed: counters.noteKill,
  }
  const codeCache = openCodeCache()
  const rest = createRest({
    isWanted: () => waiting.count('fast') > 0 || waiting.quietMs() < WANTED_MS,
    isCrowded: () => waiting.count('slow') > maxWaiting,
    now: () => performance.now(),
  })
  const launch = (givesWay: 'never' | 'once-up') => () =>
    launchChild({ entry, memoryMb: limits.memoryMb, givesWay, codeCache })
  return {
    fast: createLane({
      ...common,
      name: 'fast',
      size,
      spares: 1,
      depth: FAST_DEPTH,
      launch: launch('never'),
      takeForSpare: () => (waiting.quietMs() > quietMs ? waiting.take('slow') : undefined),
      take: () => waiting.take('fast'),
    }),
    slow: createLane({
      ...common,
      name: 'slow',
      size: slowSize,
      // Nobody is in a hurry here.
      spares: 0,
      depth: 1,
      launch: launch('once-up'),
      takeForSpare: () => undefined,
      take: () => takeRested(waiting, rest),
    }),
  }
}

/** Nobody waits for it: it comes up when the machine has time. */
function startLater<Result>(
  lane: ChildLane<Result>,
  { othersAfterMs, log }: SandboxOptions<Result>,
): NodeJS.Timeout {
  const note = (error: unknown) => log.warn({ err: error }, 'the slow lane is not up yet')
  return setTimeout(() => void lane.start().catch(note), othersAfterMs).unref()
}

function takeRested<Result>(waiting: JobQueue<Result>, rest: Rest): Job<Result> | undefined {
  if (!rest.mayBegin()) return undefined
  const job = waiting.take('slow')
  if (job) rest.noteBegin()
  return job
}

function watchLane<Result>(
  lane: ChildLane<Result>,
  bounds: { readonly limits: Limits; readonly maxWallMs: number },
  { follow }: LaneParts<Result>,
): ChildWatch {
  const { limits } = bounds
  return createWatch<SandboxChild<Result>>({
    ...bounds,
    children: lane.children,
    condemn(child, reason) {
      const verdictOn = (job: Job<Result>) =>
        reason === 'memory_exceeded' ? memoryExceeded(limits) : verdictOnOverrun(job, limits)
      lane.kill(child, reason, (job) => follow(job, verdictOn(job)))
    },
  })
}

function countAll<Result>(lanes: readonly ChildLane<Result>[], waiting: JobQueue<Result>) {
  const children = lanes.flatMap((lane) => lane.children())
  const waitingSlow = waiting.count('slow')
  return {
    children: children.length,
    busy: children.filter((child) => child.inFlight().length > 0).length,
    waiting: waiting.count('fast') + waitingSlow,
    waitingSlow,
    restarts: lanes.reduce((sum, lane) => sum + lane.restarts(), 0),
  }
}

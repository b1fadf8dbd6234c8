/**
 * Reads documents in child processes. A document may crash, hang or fill its child without harm to this process or to
 * other documents. Each task ends in one of a closed set of outcomes, and only the task that caused a failure is blamed
 * for it.
 *
 * The sandbox has two pools. The fast pool reads at full speed, several tasks ahead, and gives each task the time that
 * its length makes plausible. A document that needs longer, or failed before, goes to the slow pool, which has low
 * priority and pauses between two tasks. The spare child of the fast pool reads short priority texts while the other
 * children are busy, and for the slow pool while the fast pool is quiet.
 *
 * Measured on two shared cores: 23,000 tasks/s of 2,000 characters without work in the handler, at 38 µs of this
 * process and 20 µs of a child. A runaway document costs its neighbours about 13 ms; starting a child takes 100 ms of
 * work.
 */
import type { ReadingOutcome, ReadingTask } from '../domain/attempt.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { ChildAnswer, SandboxChild, Exit } from './sandbox/child.ts'
import { openCodeCache } from '../platform/code-cache.ts'
import { codes } from './sandbox/frames.ts'
import { allowanceOf, createJob } from './sandbox/job.ts'
import type { Job, Limits } from './sandbox/job.ts'
import { createReadingPool } from './sandbox/reading-pool.ts'
import type { ReadingPool } from './sandbox/reading-pool.ts'
import { launchChild } from './sandbox/launch.ts'
import { createThrottle } from './sandbox/throttle.ts'
import type { Throttle } from './sandbox/throttle.ts'
import { createCounters } from './sandbox/counters.ts'
import type { Counters, SandboxCounters } from './sandbox/counters.ts'
import { memoryExceeded, verdictOnAnswer, verdictOnExit, verdictOnOverrun } from './sandbox/verdict.ts'
import type { SandboxVerdict } from './sandbox/verdict.ts'
import { createJobQueue } from './sandbox/job-queue.ts'
import type { JobQueue } from './sandbox/job-queue.ts'
import { createWatch } from './sandbox/watch.ts'
import type { ChildWatch } from './sandbox/watch.ts'

export interface SandboxOptions<Result> {
  /** The child's script, which calls `serveTasks`. */
  readonly entry: URL | string
  /** The children of the fast pool. One for each core is enough. */
  readonly size: number
  readonly slowSize: number
  /** The spare and the slow pool start this long after the fast pool, so that the fast pool is ready sooner. */
  readonly othersAfterMs: number
  readonly limits: Limits
  /** The wall-clock limit of a pass in each pool; `WALL_MS` by default. */
  readonly wallMs?: { readonly fast: number; readonly slow: number }
  /** If more jobs than this wait for the slow pool, it does not pause. */
  readonly maxWaiting: number
  /** After this time without a task for the fast pool, its spare reads for the slow pool. */
  readonly quietMs: number
  /** Decodes the result of the handler. The bytes are valid until this returns. */
  readonly decode: (body: Buffer) => Result
  readonly log: Log
}

export interface SandboxStats extends SandboxCounters {
  /** Children that run, including spares. */
  readonly children: number
  readonly busy: number
  /** Tasks that no child has in flight. */
  readonly waiting: number
  /** How many of the waiting tasks wait for the slow pool. */
  readonly waitingSlow: number
  /** Children that exited for any reason and were replaced. */
  readonly restarts: number
}

export interface RunOptions {
  readonly signal?: AbortSignal
  /** Called when the task begins to wait for the slow pool, which may take long. */
  onSlow?(): void
}

export interface Sandbox<Result> extends Part {
  /**
   * Never rejects because of the document. Rejects if the signal aborts or the sandbox stops; then the document is not
   * to blame.
   */
  run(task: ReadingTask, options?: RunOptions): Promise<ReadingOutcome<Result>>
  /** Kills and replaces every child. Their tasks in flight are read again. */
  recycle(): void
  stats(): SandboxStats
}

/** Enough tasks to keep a child busy while the parent sleeps. More would only wait behind a runaway document. */
const FAST_DEPTH = 8

/** For this long after a task of the fast pool, more are likely: the worker may be waiting for Postgres. */
const BUSY_MS = 1_000
/** How often the slow pool checks whether its pause is over. */
const CHECK_MS = 100

/** The wall-clock limits of a pass. Their sum is well below the 45 s after which an attempt counts as lost. */
const WALL_MS = { fast: 5_000, slow: 15_000 }

export function createSandbox<Result>(options: SandboxOptions<Result>): Sandbox<Result> {
  const waiting = createJobQueue<Result>()
  const counters = createCounters()
  const parts: PoolParts<Result> = { waiting, counters, follow }
  const { fast, slow } = createPools(options, parts)
  const timers = createTimers(options, { fast, slow }, parts)
  const open = new Set<Job<Result>>()
  let running = false

  function follow(job: Job<Result>, verdict: SandboxVerdict<Result>): void {
    if (job.isOver()) return
    if (verdict.kind === 'second pass') return enqueue(job.secondPass())
    counters.countOutcome(verdict)
    job.settle(verdict)
  }

  function enqueue(job: Job<Result>): void {
    if (job.pool === 'slow') job.onSlow()
    waiting.add(job)
    // The fast pool goes first: if its spare may take the job, the job runs with higher priority.
    fast.feed()
    slow.feed()
  }

  function abandon(job: Job<Result>, error: unknown): void {
    job.abandon(error)
    for (const pool of [slow, fast]) killReader(pool, job)
  }

  return {
    name: 'sandbox',
    async start() {
      timers.startSlow()
      await fast.start().catch(async (error: unknown) => {
        await Promise.all([fast.stop(), slow.stop()])
        throw error
      })
      timers.start()
      running = true
    },
    async stop() {
      running = false
      timers.stop()
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
    recycle: () => recycleChildren([fast, slow]),
    stats: () => ({ ...countAll([fast, slow], waiting), ...counters.read() }),
  }
}

type SandboxPools<Result> = Readonly<Record<'fast' | 'slow', ReadingPool<Result>>>

interface PoolParts<Result> {
  readonly waiting: JobQueue<Result>
  readonly counters: Counters
  follow(job: Job<Result>, verdict: SandboxVerdict<Result>): void
}

function createPools<Result>(
  { entry, size, slowSize, othersAfterMs, limits, maxWaiting, quietMs, decode, log }: SandboxOptions<Result>,
  { waiting, counters, follow }: PoolParts<Result>,
): SandboxPools<Result> {
  const common = {
    memoryMb: limits.memoryMb,
    sparesAfterMs: othersAfterMs,
    log,
    allowanceOf: (job: Job<Result>, answered: number) => allowanceOf(job, limits, answered),
    putBack: waiting.putBack,
    answered(job: Job<Result>, answer: ChildAnswer) {
      if (answer.code === codes.overran) counters.countInterrupt()
      follow(job, verdictOnAnswer(job, answer, { limits, decode }))
    },
    lost: (job: Job<Result>, exit: Exit) => follow(job, verdictOnExit(exit, limits)),
    killed: counters.countKill,
  }
  const codeCache = openCodeCache()
  const throttle = createThrottle({
    isWanted: () => waiting.count('fast') > 0 || waiting.quietMs() < BUSY_MS,
    isBacklogged: () => waiting.count('slow') > maxWaiting,
    now: () => performance.now(),
  })
  const launch = (nice: 'never' | 'once-up') => () =>
    launchChild({ entry, memoryMb: limits.memoryMb, nice, codeCache })
  return {
    fast: createReadingPool({
      ...common,
      name: 'fast',
      size,
      spares: 1,
      depth: FAST_DEPTH,
      launch: launch('never'),
      takeForSpare: () => (waiting.quietMs() > quietMs ? waiting.take('slow') : undefined),
      takeUrgent: waiting.takeShortPriority,
      take: () => waiting.take('fast'),
    }),
    slow: createReadingPool({
      ...common,
      name: 'slow',
      size: slowSize,
      // The slow pool is not urgent, so it needs no spare.
      spares: 0,
      depth: 1,
      launch: launch('once-up'),
      takeForSpare: () => undefined,
      takeUrgent: () => undefined,
      take: () => takeThrottled(waiting, throttle),
    }),
  }
}

/** Kills a child only if it reads for the slow pool: a first pass ends within its slice, which is cheaper than a new process. */
function killReader<Result>(pool: ReadingPool<Result>, job: Job<Result>): void {
  for (const child of pool.children()) {
    const reading = child.inFlight()[0]?.job
    if (reading?.pool === 'slow' && reading.task === job.task) pool.kill(child, 'aborted')
  }
}

function recycleChildren<Result>(pools: readonly ReadingPool<Result>[]): void {
  for (const pool of pools) for (const child of pool.children()) pool.kill(child, 'recycled')
}

/** Holds everything of a sandbox that runs by the clock: the start of the slow pool, the watches, and repeated feeding. */
function createTimers<Result>(
  options: SandboxOptions<Result>,
  { fast, slow }: SandboxPools<Result>,
  parts: PoolParts<Result>,
) {
  const { limits, wallMs = WALL_MS, quietMs } = options
  const watches = [
    watchPool(fast, { limits, maxWallMs: wallMs.fast }, parts),
    watchPool(slow, { limits, maxWallMs: wallMs.slow }, parts),
  ]
  let checks: NodeJS.Timeout[] = []
  let slowStart: NodeJS.Timeout | undefined
  return {
    startSlow(): void {
      slowStart = startLater(slow, options)
    },
    start(): void {
      for (const watch of watches) watch.start()
      checks = [setInterval(fast.feed, quietMs).unref(), setInterval(slow.feed, CHECK_MS).unref()]
    },
    stop(): void {
      clearTimeout(slowStart)
      for (const check of checks) clearInterval(check)
      for (const watch of watches) watch.stop()
    },
  }
}

/** Starts the pool later, because no document waits for it yet. */
function startLater<Result>(
  pool: ReadingPool<Result>,
  { othersAfterMs, log }: SandboxOptions<Result>,
): NodeJS.Timeout {
  const warn = (error: unknown) => log.warn({ err: error }, 'the slow pool is not up yet')
  return setTimeout(() => void pool.start().catch(warn), othersAfterMs).unref()
}

function takeThrottled<Result>(waiting: JobQueue<Result>, throttle: Throttle): Job<Result> | undefined {
  if (!throttle.mayStart()) return undefined
  const job = waiting.take('slow')
  if (job) throttle.recordStart()
  return job
}

function watchPool<Result>(
  pool: ReadingPool<Result>,
  bounds: { readonly limits: Limits; readonly maxWallMs: number },
  { follow }: PoolParts<Result>,
): ChildWatch {
  const { limits } = bounds
  return createWatch<SandboxChild<Result>>({
    ...bounds,
    children: pool.children,
    kill(child, reason) {
      const verdictOn = (job: Job<Result>) =>
        reason === 'memory_exceeded' ? memoryExceeded(limits) : verdictOnOverrun(job, limits)
      pool.kill(child, reason, (job) => follow(job, verdictOn(job)))
    },
  })
}

function countAll<Result>(pools: readonly ReadingPool<Result>[], waiting: JobQueue<Result>) {
  const children = pools.flatMap((pool) => pool.children())
  const waitingSlow = waiting.count('slow')
  return {
    children: children.length,
    busy: children.filter((child) => child.inFlight().length > 0).length,
    waiting: waiting.count('fast') + waitingSlow,
    waitingSlow,
    restarts: pools.reduce((sum, pool) => sum + pool.restarts(), 0),
  }
}

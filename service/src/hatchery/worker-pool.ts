/**
 * Runs the workers of one role on this host: as many as are wanted. The pool replaces a worker that crashes, at once
 * the first time and with growing backoff after further crashes. It kills a worker that hangs, and retires a worker
 * that is no longer needed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { spawnWorker } from './worker-process.ts'
import type { WorkerProcess, WorkerProcessDeps, WorkerProcessState } from './worker-process.ts'

export type WorkerPoolEvent =
  | { readonly kind: 'worker.hatched'; readonly id: string }
  | { readonly kind: 'worker.retired'; readonly id: string; readonly reason: string }
  | { readonly kind: 'worker.lost'; readonly id: string; readonly silentMs: number }

export interface WorkerPoolDeps extends Pick<
  WorkerProcessDeps,
  'entry' | 'args' | 'environment' | 'monotonicMs'
> {
  readonly random: () => number
  readonly emit: (event: WorkerPoolEvent) => void
  readonly log: Log
}

export interface WorkerPool extends Part {
  /** Sets how many workers the pool keeps. */
  resize(wanted: number): void
  counts(): { readonly running: number; readonly starting: number }
}

const CHECK_EVERY_MS = 250
/** A worker sends a heartbeat every second. */
const MAX_SILENCE_MS = 10_000
const MAX_START_MS = 30_000
/** Longer than the time in which a worker drains by itself. */
const MAX_RETIRE_MS = 30_000
const MIN_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 30_000
/** A worker that ran for this long started well: its crash does not count as a failed start. */
const STABLE_AFTER_MS = 60_000

export function createWorkerPool(deps: WorkerPoolDeps): WorkerPool {
  const { monotonicMs, log } = deps
  const workers = new Set<WorkerProcess>()
  const restartBackoff = createRestartBackoff(monotonicMs, deps.random)
  let wanted = 0
  let timer: NodeJS.Timeout | undefined
  let stopping = false

  const active = () =>
    [...workers].filter((each) => each.state() === 'starting' || each.state() === 'running')

  const count = (state: WorkerProcessState) => active().filter((each) => each.state() === state).length

  function onEnd(worker: WorkerProcess, how: string): void {
    workers.delete(worker)
    if (worker.state() === 'retiring')
      return reportRetired(deps, worker, how, stopping ? 'hatchery_stops' : 'not_needed')
    reportLost(deps, worker, how)
    restartBackoff.recordCrash(worker.ageMs())
  }

  function spawnMissing(missing: number): void {
    for (let left = restartBackoff.allowed(missing); left > 0; left -= 1)
      workers.add(spawnWorker({ ...deps, onUp: (worker) => reportUp(deps, worker), onEnd }))
  }

  function check(): void {
    killOverdue(workers, log)
    const current = active()
    if (current.some((each) => each.state() === 'running' && each.ageMs() > STABLE_AFTER_MS))
      restartBackoff.reset()
    if (current.length < wanted) spawnMissing(wanted - current.length)
    // Retire the youngest first: the others have compiled code and full caches.
    for (const each of current.slice(wanted)) each.retire()
  }

  return {
    name: 'worker pool',
    stopWithinMs: MAX_RETIRE_MS + 5_000,
    resize(size) {
      wanted = size
    },
    counts: () => ({ running: count('running'), starting: count('starting') }),
    async start() {
      timer = setInterval(check, CHECK_EVERY_MS)
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      for (const each of active()) each.retire()
      while (workers.size > 0) {
        killOverdue(workers, log)
        // oxlint-disable-next-line no-await-in-loop -- until the last worker has exited
        await delay(20)
      }
    },
  }
}

type Reporting = Pick<WorkerPoolDeps, 'log' | 'emit'>

function reportUp({ log, emit }: Reporting, worker: WorkerProcess): void {
  log.info({ worker: worker.id() }, 'worker started')
  emit({ kind: 'worker.hatched', id: worker.id() })
}

function reportRetired({ log, emit }: Reporting, worker: WorkerProcess, how: string, reason: string): void {
  const id = worker.id()
  log.info({ worker: id, how }, 'worker retired')
  emit({ kind: 'worker.retired', id, reason })
}

function reportLost({ log, emit }: Reporting, worker: WorkerProcess, how: string): void {
  const id = worker.id()
  log.warn({ worker: id, how }, 'worker lost')
  emit({ kind: 'worker.lost', id, silentMs: Math.round(worker.silentMs()) })
}

function killOverdue(workers: Iterable<WorkerProcess>, log: Log): void {
  for (const each of workers) {
    if (!isOverdue(each)) continue
    log.warn({ worker: each.id(), state: each.state(), silent_ms: each.silentMs() }, 'worker killed')
    each.kill()
  }
}

function isOverdue(each: WorkerProcess): boolean {
  switch (each.state()) {
    case 'starting':
      return each.silentMs() > MAX_START_MS
    case 'running':
      return each.silentMs() > MAX_SILENCE_MS
    case 'retiring':
      return each.retiringMs() > MAX_RETIRE_MS
    case 'killed':
      return false
  }
}

/** Decides how many missing workers may be spawned now, given how the last ones ended. */
function createRestartBackoff(monotonicMs: () => number, random: () => number) {
  /** Consecutive crashes. */
  let crashes = 0
  let notBefore = 0
  return {
    recordCrash(ageMs: number): void {
      crashes = ageMs > STABLE_AFTER_MS ? 1 : crashes + 1
      notBefore = monotonicMs() + backoffAfter(crashes, random())
    },
    reset(): void {
      crashes = 0
    },
    /** After a crash the pool spawns one worker at a time: if that one starts, the others will too. */
    allowed(missing: number): number {
      if (monotonicMs() < notBefore) return 0
      if (crashes === 0) return missing
      notBefore = monotonicMs() + MIN_BACKOFF_MS
      return 1
    },
  }
}

/**
 * No backoff after the first crash, then exponential backoff with jitter, so that hosts do not restart workers in step.
 */
function backoffAfter(crashes: number, random: number): number {
  if (crashes <= 1) return 0
  return Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** (crashes - 2)) * (0.5 + random / 2)
}

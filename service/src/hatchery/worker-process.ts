/** One worker process as its hatchery sees it, from the start to the exit. */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'

/** `starting` until its first heartbeat; `retiring` after SIGTERM; `killed` after SIGKILL. */
export type WorkerProcessState = 'starting' | 'running' | 'retiring' | 'killed'

export interface WorkerProcess {
  /** The id from its heartbeats; its pid until the first one. */
  readonly id: () => string
  readonly pid: number | undefined
  readonly state: () => WorkerProcessState
  /** The time since its last heartbeat, or since the start. */
  readonly silentMs: () => number
  readonly ageMs: () => number
  readonly retiringMs: () => number
  /** The worker finishes the documents in flight and exits. */
  retire(): void
  /** The worker exits at once. */
  kill(): void
}

export interface WorkerProcessDeps {
  /** The script and its arguments. The worker gets the environment unchanged. */
  readonly entry: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly monotonicMs: () => number
  readonly onUp: (worker: WorkerProcess) => void
  readonly onEnd: (worker: WorkerProcess, how: string) => void
}

export function spawnWorker(deps: WorkerProcessDeps): WorkerProcess {
  const { monotonicMs } = deps
  const child = fork(deps.entry, [...deps.args], {
    env: { ...deps.environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const startedAt = monotonicMs()
  let heartbeatAt = startedAt
  let retiredAt = startedAt
  let id: string | undefined
  let state: WorkerProcessState = 'starting'

  const worker: WorkerProcess = {
    id: () => id ?? `pid ${child.pid ?? '?'}`,
    pid: child.pid,
    state: () => state,
    silentMs: () => monotonicMs() - heartbeatAt,
    ageMs: () => monotonicMs() - startedAt,
    retiringMs: () => monotonicMs() - retiredAt,
    retire() {
      if (state === 'starting' || state === 'running') {
        state = 'retiring'
        retiredAt = monotonicMs()
        child.kill('SIGTERM')
      }
    },
    kill() {
      state = 'killed'
      child.kill('SIGKILL')
    },
  }

  child.on('message', (message) => {
    const sender = parseHeartbeat(message)
    if (sender === undefined) return
    heartbeatAt = monotonicMs()
    id = sender
    if (state !== 'starting') return
    state = 'running'
    deps.onUp(worker)
  })
  onceEnded(child, (how) => deps.onEnd(worker, how))
  return worker
}

/** A process that could not be spawned emits an error and no exit. */
function onceEnded(child: ChildProcess, report: (how: string) => void): void {
  let isReported = false
  const reportOnce = (how: string) => {
    if (!isReported) report(how)
    isReported = true
  }
  child.on('exit', (code, signal) => reportOnce(signal ?? `exit code ${code}`))
  child.on('error', (error) => {
    if (child.pid === undefined) reportOnce(error.message)
  })
}

/** Returns the id of the worker that sent the heartbeat. */
function parseHeartbeat(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('alive' in message)) return undefined
  return typeof message.alive === 'string' && message.alive.length <= 200 ? message.alive : undefined
}

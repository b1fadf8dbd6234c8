/** One worker process as its hatchery sees it: from its start over its first word to its end. */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'

/** `hatching` until it says that it is up; `retiring` once it was told to go; `doomed` once it was ended by force. */
export type HatchlingState = 'hatching' | 'running' | 'retiring' | 'doomed'

export interface Hatchling {
  /** The name that the process gives itself; by its pid until it has said so. */
  readonly id: () => string
  readonly pid: number | undefined
  readonly state: () => HatchlingState
  /** Since it last said that it is alive, or was started. */
  readonly silentMs: () => number
  readonly ageMs: () => number
  readonly retiringMs: () => number
  /** It finishes what it has and goes. */
  retire(): void
  /** It is gone at once. */
  end(): void
}

export interface HatchlingDeps {
  /** The command and its arguments; the environment is handed down as it is. */
  readonly entry: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly monotonicMs: () => number
  readonly onUp: (hatchling: Hatchling) => void
  readonly onEnd: (hatchling: Hatchling, how: string) => void
}

export function hatch(deps: HatchlingDeps): Hatchling {
  const { monotonicMs } = deps
  const child = fork(deps.entry, [...deps.args], {
    env: { ...deps.environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const born = monotonicMs()
  let heard = born
  let retiredAt = born
  let name: string | undefined
  let state: HatchlingState = 'hatching'

  const hatchling: Hatchling = {
    id: () => name ?? `pid ${child.pid ?? '?'}`,
    pid: child.pid,
    state: () => state,
    silentMs: () => monotonicMs() - heard,
    ageMs: () => monotonicMs() - born,
    retiringMs: () => monotonicMs() - retiredAt,
    retire() {
      if (state === 'hatching' || state === 'running') {
        state = 'retiring'
        retiredAt = monotonicMs()
        child.kill('SIGTERM')
      }
    },
    end() {
      state = 'doomed'
      child.kill('SIGKILL')
    },
  }

  child.on('message', (message) => {
    const said = parseWord(message)
    if (said === undefined) return
    heard = monotonicMs()
    name = said
    if (state !== 'hatching') return
    state = 'running'
    deps.onUp(hatchling)
  })
  followEnd(child, (how) => deps.onEnd(hatchling, how))
  return hatchling
}

/** A process that could not be started at all has no exit, only an error. */
function followEnd(child: ChildProcess, report: (how: string) => void): void {
  let told = false
  const tell = (how: string) => {
    if (!told) report(how)
    told = true
  }
  child.on('exit', (code, signal) => tell(signal ?? `exit code ${code}`))
  child.on('error', (error) => {
    if (child.pid === undefined) tell(error.message)
  })
}

function parseWord(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('alive' in message)) return undefined
  return typeof message.alive === 'string' && message.alive.length <= 200 ? message.alive : undefined
}

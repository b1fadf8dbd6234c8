/** A process of ours: started, watched, signalled by pid, and waited for. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'

export interface ChildOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** Called with everything it writes, as it comes. */
  readonly echo?: (chunk: string) => void
  /** Its standard input stays open for as long as this process lives, so that it can tell when this process is gone. */
  readonly bound?: boolean
  /** A session of its own, as an init system or a container gives it: Linux shares the cores between sessions first. */
  readonly ownSession?: boolean
}

export interface ChildExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Child {
  readonly pid: number
  /** Everything written to stdout and stderr so far. */
  output(): string
  /** Only what went to stdout. */
  stdout(): string
  signal(signal: NodeJS.Signals): void
  readonly exited: Promise<ChildExit>
  hasExited(): boolean
  /** SIGTERM, then SIGKILL when the patience is over; returns when the process is gone. */
  stop(patienceMs?: number): Promise<ChildExit>
}

/** A process that ends without stopping what it started, by a fault or a signal, takes it along: nobody else knows of it. */
const living = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})

export function startChild({
  command,
  args,
  env,
  cwd,
  echo,
  bound = false,
  ownSession = false,
}: ChildOptions): Child {
  const place = { env, detached: ownSession, ...(cwd && { cwd }) }
  const child = bound
    ? spawn(command, args, { ...place, stdio: ['pipe', 'pipe', 'pipe'] })
    : spawn(command, args, { ...place, stdio: ['ignore', 'pipe', 'pipe'] })
  living.add(child)
  child.once('exit', () => living.delete(child))
  const chunks: string[] = []
  const toStdout: string[] = []
  const note = (chunk: string) => {
    echo?.(chunk)
    chunks.push(chunk)
  }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    note(chunk)
    toStdout.push(chunk)
  })
  child.stderr.setEncoding('utf8').on('data', note)
  let exit: ChildExit | undefined
  const exited = new Promise<ChildExit>((resolve, reject) => {
    child.once('error', reject)
    // 'close' rather than 'exit': by then the last output has arrived.
    child.once('close', (code, signal) => resolve((exit = { code, signal })))
  })
  const hasExited = () => exit !== undefined
  const signal = (name: NodeJS.Signals) => void (hasExited() || child.kill(name))
  return {
    pid: child.pid ?? -1,
    output: () => chunks.join(''),
    stdout: () => toStdout.join(''),
    signal,
    exited,
    hasExited,
    async stop(patienceMs = 30_000) {
      signal('SIGTERM')
      const timer = new AbortController()
      void delay(patienceMs, undefined, { signal: timer.signal }).then(
        () => signal('SIGKILL'),
        () => undefined,
      )
      return exited.finally(() => timer.abort())
    },
  }
}

/** Runs to the end; a failure carries all output. */
export async function runChild(options: ChildOptions): Promise<string> {
  const child = startChild(options)
  const { code } = await child.exited
  if (code !== 0) throw new Error(`${options.args.join(' ')} ended with ${code}:\n${child.output()}`)
  return child.stdout()
}

// The facts that the system says about a process, how to start one that outlives us, and how to end exactly the one
// we meant: a pid alone is never trusted, because the system hands old numbers to new processes.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { waitUntil } from './waiting.ts'

/** The user a process runs as; absent means ourselves. */
export interface RunAs {
  readonly uid: number
  readonly gid: number
}

/** The mark that makes a process one of ours: its executable and its first arguments, which name a directory of ours. */
export interface ServerMark {
  readonly executable: string
  readonly firstArguments: readonly string[]
}

export interface StopStep {
  readonly signal: NodeJS.Signals
  readonly waitMs: number
}

export interface Detached {
  readonly pid: number
  /** Undefined while the process runs; afterwards how it ended. */
  readonly ended: () => string | undefined
}

export interface DetachedCommand {
  readonly file: string
  /** The name the process shows, where the file may be called anything. */
  readonly argv0?: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Record<string, string>
  readonly logFile: string
  readonly runAs?: RunAs | undefined
}

/** Starts a process in a session of its own, with its output in a file, so that it survives us. */
export function startDetached(command: DetachedCommand): Detached {
  const log = openSync(command.logFile, 'a', 0o600)
  const { cwd, env } = command
  const stdio = ['ignore', log, log] as const
  const child = spawn(command.file, command.args, {
    cwd,
    env,
    stdio: [...stdio],
    detached: true,
    ...(command.argv0 ? { argv0: command.argv0 } : {}),
    ...command.runAs,
  })
  closeSync(log)
  const ended = endOf(child)
  child.unref()
  return { pid: child.pid ?? -1, ended }
}

function endOf(child: ChildProcess): () => string | undefined {
  let ended: string | undefined
  child.once('error', (error) => (ended = error.message))
  child.once('exit', (code, signal) => (ended = signal ? `ended by ${signal}` : `exit code ${code}`))
  return () => ended
}

/** Arguments joined by blanks, or undefined when there is no such process (a zombie counts as none). */
function commandLine(pid: number): string | undefined {
  if (process.platform !== 'linux') return psColumn(pid, 'command')
  const raw = readOrUndefined(`/proc/${pid}/cmdline`)
  return raw ? raw.split('\0').join(' ').trimEnd() : undefined
}

/** A name for this life of the pid: differs after the pid was reused and after a reboot. */
export function processBirth(pid: number): string | undefined {
  if (process.platform !== 'linux') return psColumn(pid, 'lstart')
  const stat = readOrUndefined(`/proc/${pid}/stat`)
  if (!stat) return undefined
  // The second field is the name in brackets and may hold blanks, so counting starts behind the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  return `${readOrUndefined('/proc/sys/kernel/random/boot_id')?.trim()}:${fields[19]}`
}

export function bearsMark(pid: number, mark: ServerMark): boolean {
  return matches(commandLine(pid) ?? '', mark)
}

/** The pid of the server with this mark. The hint saves the search, but is not needed: a lost pid file is no loss. */
export function findServer(mark: ServerMark, hint?: number): number | undefined {
  if (hint !== undefined && bearsMark(hint, mark)) return hint
  return findServers(mark)[0]
}

export function findServers(mark: ServerMark): number[] {
  return allPids().filter((pid) => bearsMark(pid, mark))
}

/** Signals the process only if it still bears the mark; says whether it did. */
export function signalServer(pid: number, mark: ServerMark, signal: NodeJS.Signals): boolean {
  if (!bearsMark(pid, mark)) return false
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** Ends the server with growing force and returns when it is gone. */
export async function endServer(pid: number, mark: ServerMark, steps: readonly StopStep[]): Promise<void> {
  const birth = processBirth(pid)
  for (const { signal, waitMs } of steps) {
    if (!signalServer(pid, mark, signal)) return
    // A stopped process (SIGSTOP) would never see the request to end.
    if (signal !== 'SIGKILL') signalServer(pid, mark, 'SIGCONT')
    if (await waitUntil(() => processBirth(pid) !== birth, waitMs)) return
  }
  throw new Error(`${mark.executable} (pid ${pid}) does not end, not even by SIGKILL; see ps -p ${pid}`)
}

function matches(command: string, mark: ServerMark): boolean {
  const args = ` ${mark.firstArguments.join(' ')} `
  const at = `${command} `.indexOf(args)
  return at > 0 && basename(command.slice(0, at)) === mark.executable
}

function allPids(): number[] {
  if (process.platform === 'linux') return readdirSync('/proc').map(Number).filter(Number.isInteger)
  return execFileSync('ps', ['-ax', '-o', 'pid='], { encoding: 'utf8' })
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0)
}

function psColumn(pid: number, column: string): string | undefined {
  try {
    const args = ['-ww', '-o', 'stat=', '-o', `${column}=`, '-p', String(pid)]
    const [, state, value] =
      /^(\S+)\s+(.*)$/s.exec(execFileSync('ps', args, { encoding: 'utf8' }).trim()) ?? []
    return state?.startsWith('Z') ? undefined : value
  } catch {
    return undefined
  }
}

function readOrUndefined(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

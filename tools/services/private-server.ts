// One contract for both servers: start returns when the server really answers, stop when it is gone, and doing
// either twice is harmless. A server that already runs from the same directory is taken over, not doubled.
import { existsSync, openSync, readSync, closeSync, statSync } from 'node:fs'
import {
  bearsMark,
  type Detached,
  endServer,
  findServer,
  type ServerMark,
  signalServer,
  type StopStep,
} from './processes.ts'
import { waitUntil } from './waiting.ts'

export interface ServerPlan {
  readonly what: string
  readonly mark: ServerMark
  readonly logFile: string
  readonly stopSteps: readonly StopStep[]
  /** Output of a failed start after which another try may succeed: a port was taken, an old process still ends. */
  readonly mayRetry: RegExp
  /** One try: choose ports that are free, write the settings, start the process. */
  readonly launch: () => Promise<Detached>
  /** Throws until the server does its work. */
  readonly answer: () => Promise<void>
}

export interface ServerHandle {
  /** The process as of the last start. */
  readonly pid: number
  /** Sends a signal to the server, and to nothing else; says whether it was there to receive it. */
  readonly kill: (signal: NodeJS.Signals) => boolean
  /** Stops the server if it runs, and starts it again from the same data. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

// After a crash Postgres replays its log before it answers; that takes long only with much to replay.
const START_MS = 120_000
// A server found running is given this long to answer before it is replaced.
const TAKEOVER_MS = 30_000
const RETRY_MS = 20_000

export async function startServer(plan: ServerPlan, pidHint?: number): Promise<ServerHandle> {
  let pid = (await takeOver(plan, pidHint)) ?? (await startAnew(plan))
  const stop = () => endServer(pid, plan.mark, plan.stopSteps)
  return {
    get pid() {
      return pid
    },
    kill: (signal) => signalServer(pid, plan.mark, signal),
    stop,
    async restart() {
      await stop()
      pid = await startAnew(plan)
    },
  }
}

async function takeOver(plan: ServerPlan, pidHint: number | undefined): Promise<number | undefined> {
  const pid = findServer(plan.mark, pidHint)
  if (pid === undefined) return undefined
  const gone = () => !bearsMark(pid, plan.mark)
  const found = await awaitAnswer(plan, gone, TAKEOVER_MS)
  if (found.answered) return pid
  await endServer(pid, plan.mark, plan.stopSteps)
  return undefined
}

async function startAnew(plan: ServerPlan): Promise<number> {
  const retryUntil = Date.now() + RETRY_MS
  for (;;) {
    const logStart = existsSync(plan.logFile) ? statSync(plan.logFile).size : 0
    const child = await plan.launch()
    const { answered, lastFault } = await awaitAnswer(plan, () => child.ended() !== undefined, START_MS)
    if (answered) return child.pid
    const output = readFrom(plan.logFile, logStart)
    if (!plan.mayRetry.test(output) || Date.now() > retryUntil) {
      await endServer(child.pid, plan.mark, plan.stopSteps)
      throw new Error(notStarted(plan, child.ended() ?? `does not answer: ${lastFault}`, output))
    }
  }
}

async function awaitAnswer(plan: ServerPlan, gone: () => boolean, withinMs: number) {
  let lastFault = ''
  let answered = false
  await waitUntil(async () => {
    if (gone()) return true
    try {
      await plan.answer()
      // Someone else's server may sit on our port while ours fails to start: only ours counts.
      answered = !gone()
    } catch (error) {
      lastFault = error instanceof Error ? error.message : String(error)
    }
    return answered
  }, withinMs)
  return { answered, lastFault }
}

function notStarted(plan: ServerPlan, reason: string, output: string): string {
  const tail = output.trim().split('\n').slice(-8).join('\n  ')
  return `${plan.what} did not start (${reason}). Its last words, from ${plan.logFile}:\n  ${tail || '(none)'}`
}

function readFrom(file: string, start: number): string {
  if (!existsSync(file)) return ''
  const fd = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(Math.min(Math.max(statSync(file).size - start, 0), 65_536))
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, start))
  } finally {
    closeSync(fd)
  }
}

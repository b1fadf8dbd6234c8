/**
 * A worker thread for computations that would block the main thread. It starts with the first job, does one job at a time, and ends
 * when nothing has come for a while. A job that takes too long, or more memory than the thread may have, ends the thread and fails
 * alone; the next job starts another thread.
 */
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Fault } from '../domain/fault.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { END } from './job-messages.ts'
import type { JobReply, SentError } from './job-messages.ts'

export interface JobThreadOptions {
  /** The script of the thread, which calls `serveJobs`. */
  readonly entry: URL
  /** Handed to the script as `workerData`. */
  readonly data: unknown
  readonly maxHeapMb: number
  readonly maxJobMs: number
  /** A thread that had no job for so long is ended. */
  readonly idleMs: number
  readonly log: Log
}

export interface JobThread<Job, Answer> extends Part {
  run(job: Job): Promise<Answer>
}

export function createJobThread<Job, Answer>(options: JobThreadOptions): JobThread<Job, Answer> {
  let thread: Worker | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined

  async function end(kindly: boolean): Promise<void> {
    const ended = thread
    thread = undefined
    if (!ended) return
    if (kindly) await closeThread(ended)
    await ended.terminate()
  }

  async function runNow(job: Job): Promise<Answer> {
    clearTimeout(idle)
    thread ??= start(options)
    const done = await replyOf<Answer>(thread, job, options.maxJobMs).catch(async (error: unknown) => {
      await end(false)
      throw error
    })
    idle = setTimeout(() => void end(true), options.idleMs).unref()
    if ('error' in done) throw toError(done.error)
    return done.answer
  }

  return {
    name: 'job thread',
    run(job) {
      const running = queue.then(() => runNow(job))
      queue = running.catch(() => undefined)
      return running
    },
    start: async () => undefined,
    async stop() {
      clearTimeout(idle)
      await queue
      await end(true)
    },
  }
}

function start({ entry, data, maxHeapMb, log }: JobThreadOptions): Worker {
  const thread = new Worker(entry, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 32 },
  })
  // The caller that waits for a job hears of it as well; without a listener the process would end.
  thread.on('error', (error) => log.warn({ fault: error.name, code: codeOf(error) }, 'a job thread failed'))
  thread.on('message', (reply: JobReply<unknown>) => {
    if ('trouble' in reply) log.warn({ fault: reply.trouble }, 'claims were not compared')
  })
  thread.unref()
  return thread
}

/** Gives the thread a moment to close its connections. */
async function closeThread(thread: Worker): Promise<void> {
  const exited = once(thread, 'exit')
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  thread.postMessage(END)
  await Promise.race([exited, delay(CLOSE_MS, undefined, { ref: false })])
}

const CLOSE_MS = 2_000

type Done<Answer> = Exclude<JobReply<Answer>, { readonly trouble: string }>

async function replyOf<Answer>(thread: Worker, job: unknown, withinMs: number): Promise<Done<Answer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Done<Answer>>()
  const onMessage = (reply: JobReply<Answer>) => {
    if (!('trouble' in reply)) resolve(reply)
  }
  const onExit = () => reject(new Error('the thread of the job ended'))
  const timer = setTimeout(() => reject(new Error('the job took too long')), withinMs)
  thread.on('message', onMessage).on('error', reject).on('exit', onExit)
  thread.ref()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  thread.postMessage(job)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    thread.off('message', onMessage).off('error', reject).off('exit', onExit)
    thread.unref()
  }
}

/** A clone of an error loses its code, by which an outage is told from a mistake. */
function toError({ message, code, fault }: SentError): Error {
  if (fault !== undefined) return new Fault(fault, { internal: message })
  return Object.assign(new Error(message), code === undefined ? {} : { code })
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

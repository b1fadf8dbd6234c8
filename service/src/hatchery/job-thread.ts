/**
 * A worker thread for computations that would block the main thread. The thread starts with the first job, runs one job
 * at a time, and ends after a while without jobs. A job that takes too much time or memory ends the thread and fails
 * alone; the next job starts a new thread.
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
  /** The `workerData` of the thread. */
  readonly data: unknown
  readonly maxHeapMb: number
  readonly maxJobMs: number
  /** The thread ends after this time without a job. */
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

  async function end(graceful: boolean): Promise<void> {
    const ended = thread
    thread = undefined
    if (!ended) return
    if (graceful) await closeThread(ended)
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
  // The caller of the job gets the error as well. Without a listener the error would end the process.
  thread.on('error', (error) => log.warn({ fault: error.name, code: codeOf(error) }, 'a job thread failed'))
  thread.on('message', (reply: JobReply<unknown>) => {
    if ('warning' in reply) log.warn({ fault: reply.warning }, 'claims were not compared')
  })
  thread.unref()
  return thread
}

/** Gives the thread time to close its connections. */
async function closeThread(thread: Worker): Promise<void> {
  const exited = once(thread, 'exit')
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  thread.postMessage(END)
  await Promise.race([exited, delay(CLOSE_MS, undefined, { ref: false })])
}

const CLOSE_MS = 2_000

type Completed<Answer> = Exclude<JobReply<Answer>, { readonly warning: string }>

async function replyOf<Answer>(thread: Worker, job: unknown, withinMs: number): Promise<Completed<Answer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Completed<Answer>>()
  const onMessage = (reply: JobReply<Answer>) => {
    if (!('warning' in reply)) resolve(reply)
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

/** Restores the code of the error, which cloning loses. The code distinguishes an outage from a bug. */
function toError({ message, code, fault }: SentError): Error {
  if (fault !== undefined) return new Fault(fault, { internal: message })
  return Object.assign(new Error(message), code === undefined ? {} : { code })
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

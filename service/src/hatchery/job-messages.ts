/** The side of a job thread that runs in the thread: it takes jobs and answers each. */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { Fault } from '../domain/fault.ts'

export interface SentError {
  readonly message: string
  readonly code: string | undefined
  readonly fault: Fault['code'] | undefined
}

export type JobReply<Answer> =
  | { readonly answer: Answer }
  | { readonly error: SentError }
  /** The class of an error that did not fail the job. Its message may quote content. */
  | { readonly warning: string }

/** Sent instead of a job: the thread closes its connections and then ends by itself. */
export const END = 'end'

export type RunJob<Job> = (job: Job) => Promise<unknown>

export function serveJobs<Job extends object>(run: RunJob<Job>, close: () => Promise<void>): void {
  yieldToMainThread()
  const answer = async (job: Job) => {
    restoreBuffers(job)
    reply(await run(job).then((done) => ({ answer: done }), toFailure))
  }
  parentPort?.on('message', (job: Job | typeof END) => {
    if (job !== END) void answer(job)
    else void close().finally(() => parentPort?.close())
  })
}

/**
 * On Linux this is the niceness of the thread alone. When the main thread is busy too, the thread gets a third of the
 * core, not a half.
 */
const NICENESS = 5

function yieldToMainThread(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, NICENESS)
  } catch {
    // If the system forbids it, both threads get the same.
  }
}

export function reportError(error: unknown): void {
  reply({ warning: error instanceof Error ? error.constructor.name : typeof error })
}

function reply(message: JobReply<unknown>): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message)
}

function toFailure(error: unknown): JobReply<never> {
  if (!(error instanceof Error))
    return { error: { message: String(error), code: undefined, fault: undefined } }
  const fault = error instanceof Fault ? error.code : undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { error: { message: error.message, code, fault } }
}

/** A cloned buffer arrives as a plain array of bytes; everything else arrives unchanged. */
function restoreBuffers(value: object): void {
  for (const [key, inner] of Object.entries(value)) {
    if (inner instanceof Uint8Array)
      Reflect.set(value, key, Buffer.from(inner.buffer, inner.byteOffset, inner.byteLength))
    else if (typeof inner === 'object' && inner !== null) restoreBuffers(inner)
  }
}

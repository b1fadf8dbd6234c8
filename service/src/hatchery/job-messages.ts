/** The side of a job thread that runs in the thread: takes jobs, and answers each. */
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
  /** Something that did not fail the job, by the class of its error: the message may quote content. */
  | { readonly trouble: string }

/** Sent instead of a job: the thread is to close what it has open, and ends by itself then. */
export const END = 'end'

export type RunJob<Job> = (job: Job) => Promise<unknown>

export function serveJobs<Job extends object>(run: RunJob<Job>, close: () => Promise<void>): void {
  giveWayToMainThread()
  const answer = async (job: Job) => {
    restoreBuffers(job)
    reply(await run(job).then((done) => ({ answer: done }), toFailure))
  }
  parentPort?.on('message', (job: Job | typeof END) => {
    if (job !== END) void answer(job)
    else void close().finally(() => parentPort?.close())
  })
}

/** On Linux this is the niceness of the thread alone. It gets a third of a core that the main thread wants too, not a half. */
const NICENESS = 5

function giveWayToMainThread(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, NICENESS)
  } catch {
    // The system may forbid it; then both get the same.
  }
}

export function reportTrouble(error: unknown): void {
  reply({ trouble: error instanceof Error ? error.constructor.name : typeof error })
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

/** A clone of a buffer is a plain array of bytes; everything else arrives as it was sent. */
function restoreBuffers(value: object): void {
  for (const [key, inner] of Object.entries(value)) {
    if (inner instanceof Uint8Array)
      Reflect.set(value, key, Buffer.from(inner.buffer, inner.byteOffset, inner.byteLength))
    else if (typeof inner === 'object' && inner !== null) restoreBuffers(inner)
  }
}

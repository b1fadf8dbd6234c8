/**
 * The loop of a child. It takes tasks strictly in order, and answers each before it reads the next. So the first task
 * without an answer is always the current one, and the parent can blame a crash on it.
 *
 * `handle` must be synchronous and pure: the watchdog may interrupt it at any point, and the same process then goes on.
 */
import { readSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { Script, createContext } from 'node:vm'
import { NICE_ARGUMENT, lowerPriority } from './nice.ts'
import { MAX_RESULT_BYTES, TEXT_ENCODING, codes, createFrameReader, encodeFrame } from './frames.ts'
import type { Frame } from './frames.ts'
import { createSharedState, startWatchdog } from './watchdog.ts'
import type { SharedState } from './watchdog.ts'

/** The socket to the parent. It is not standard output, so that a stray print cannot be taken for a frame. */
const CHANNEL = 3

const MAX_TASK_BYTES = 64 * 1024 * 1024

/** The child checks its memory after a task of this length, and after this many short tasks. */
const LONG_TASK_MS = 5
const CHECK_EVERY = 32

const WARM_UP_PASSES = 4

/**
 * If a failed task leaves more memory than this, the child collects garbage at once. Less is cheaper to leave to V8.
 */
const LEFTOVER_MB = 96

/**
 * The extra time of a task after a failed one, because V8 may collect the garbage of the failed task during this one.
 * It is less than the grace time of the parent's watch.
 */
const AFTER_FAILURE_MS = 20

interface Answer {
  readonly code: number
  readonly body?: Buffer
}

/**
 * Serves tasks until the parent closes the channel, and then kills the process, which has nothing to save. It reads
 * `sample` a few times before the first task: code that has never run is twenty times slower, and no task should be
 * charged for that.
 */
export async function serveTasks(handle: (text: string) => string, sample: string): Promise<void> {
  const next = openChannel()
  const hello = next()
  if (hello?.code !== codes.hello) throw new Error('This process is started by the sandbox, not by hand.')
  ignoreSignals()
  const shared = createSharedState()
  await startWatchdog(shared, hello.seq)
  const read = (text: string) => attempt(handle, text)
  for (let pass = 0; pass < WARM_UP_PASSES; pass += 1) read(sample)
  // Node writes the compile cache at a normal exit, but a child hardly ever exits normally.
  flushCompileCache()
  const isSpent = createMemoryCheck(hello.value)
  if (process.argv.includes(NICE_ARGUMENT)) lowerPriority()
  send(0, codes.ready, 0)
  serveInterruptibly({ shared, next, read, isSpent })
  process.kill(process.pid, 'SIGKILL')
}

// A signal to the process group is meant for the parent, which decides when its children exit.
function ignoreSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
}

/** Returns a function that reads the next frame. It blocks, because this thread has nothing else to do. */
function openChannel(): () => Frame | undefined {
  const reader = createFrameReader(MAX_TASK_BYTES)
  const chunk = Buffer.allocUnsafe(256 * 1024)
  return () => {
    for (;;) {
      const frame = reader.next()
      if (frame) return frame
      const bytes = readSync(CHANNEL, chunk)
      if (bytes === 0) return undefined
      reader.push(chunk.subarray(0, bytes))
    }
  }
}

function send(seq: number, code: number, value: number, body?: Buffer): void {
  const bytes = Buffer.concat(encodeFrame(seq, code, value, body))
  for (let sent = 0; sent < bytes.length;) sent += writeSync(CHANNEL, bytes, sent)
}

interface LoopDeps {
  readonly shared: SharedState
  readonly next: () => Frame | undefined
  readonly read: (text: string) => Answer
  readonly isSpent: (ms: number, hasFailed: boolean) => boolean
}

interface CurrentTask {
  readonly seq: number
  readonly budgetMs: number
  readonly text: string
  readonly startedMs: number
}

/**
 * Runs the loop as a script that SIGINT interrupts, and enters it again after each interrupt. One script serves many
 * tasks, because entering it costs 35 µs. The watchdog sends the signal to end a task. A SIGINT from a terminal has the
 * same effect, and costs the task no more than a second pass.
 */
function serveInterruptibly(deps: LoopDeps): void {
  let current: CurrentTask | undefined
  let extraMs = 0
  function serve(): void {
    while ((current ??= takeTask(deps.next))) reply(current, readWatched(deps, current, extraMs))
  }
  function reply({ seq, startedMs }: CurrentTask, { code, body }: Answer): void {
    const ms = performance.now() - startedMs
    // The memory is checked before the answer is sent, so that the next task is not blamed for what this one left.
    const spent = deps.isSpent(ms, code !== codes.done)
    extraMs = code === codes.done ? 0 : AFTER_FAILURE_MS
    current = undefined
    send(seq, spent ? code + codes.spent : code, Math.round(ms * 1000), body)
  }
  const context = createContext({ serve })
  const script = new Script('serve()')
  for (;;) {
    try {
      script.runInContext(context, { breakOnSigint: true })
      return
    } catch (error) {
      if (!isInterrupt(error)) throw error
      deps.shared.words[deps.shared.task] = 0
      if (current) reply(current, { code: codes.overran })
    }
  }
}

function takeTask(next: LoopDeps['next']): CurrentTask | undefined {
  const frame = next()
  if (!frame) return undefined
  const text = frame.body.toString(TEXT_ENCODING)
  return { seq: frame.seq, budgetMs: frame.value, text, startedMs: performance.now() }
}

function readWatched({ shared, read }: LoopDeps, current: CurrentTask, extraMs: number): Answer {
  shared.words[shared.budgetMs] = current.budgetMs + extraMs
  Atomics.store(shared.words, shared.task, current.seq)
  Atomics.notify(shared.words, shared.task)
  const answer = read(current.text)
  // The watchdog has just decided to interrupt this task. Wait for the signal here, so that it does not hit the next
  // task.
  if (Atomics.compareExchange(shared.words, shared.task, current.seq, 0) !== current.seq) for (;;);
  return answer
}

/** Runs the handler and turns the result or the error into an answer. The result reaches the parent as UTF-8. */
function attempt(handle: (text: string) => string, text: string): Answer {
  try {
    const body = Buffer.from(handle(text))
    return body.length > MAX_RESULT_BYTES ? { code: codes.exhausted } : { code: codes.done, body }
  } catch (error) {
    if (isAllocationFailure(error)) return { code: codes.exhausted }
    return { code: codes.threw, body: Buffer.from(classOf(error)) }
  }
}

// The answer carries the class of an error: its message may quote the document.
function classOf(error: unknown): string {
  const name: unknown = error instanceof Error ? error.constructor.name : typeof error
  return typeof name === 'string' && /^[\w$]{1,60}$/.test(name) ? name : 'Error'
}

// V8 and Node throw these errors when the kernel refuses memory for a buffer.
function isAllocationFailure(error: unknown): boolean {
  if (!(error instanceof RangeError)) return false
  return (
    error.message === 'Array buffer allocation failed' || codeOf(error) === 'ERR_MEMORY_ALLOCATION_FAILED'
  )
}

function isInterrupt(error: unknown): boolean {
  return codeOf(error) === 'ERR_SCRIPT_EXECUTION_INTERRUPTED'
}

// `instanceof` would fail here: the error of an interrupt belongs to the realm of the script.
function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

/**
 * Returns a check that tells whether this process holds so much memory that the next task would be blamed for it. The
 * check collects garbage first, and at once after a failed task that left much, so that the next task does not pay for
 * the collection. Reading the memory has a cost, so short successful tasks are checked in groups.
 */
function createMemoryCheck(memoryMb: number): LoopDeps['isSpent'] {
  const atRestMb = rssMb()
  const markMb = atRestMb + (memoryMb - atRestMb) / 2
  let usualMb = atRestMb
  let sinceCheck = 0
  return (ms, hasFailed) => {
    sinceCheck += 1
    if (!hasFailed && ms < LONG_TASK_MS && sinceCheck < CHECK_EVERY) return false
    sinceCheck = 0
    const heldMb = rssMb()
    if (heldMb > markMb || (hasFailed && heldMb > usualMb + LEFTOVER_MB)) globalThis.gc?.()
    else usualMb = heldMb
    return heldMb > markMb && rssMb() > markMb
  }
}

function rssMb(): number {
  return process.memoryUsage.rss() / 2 ** 20
}

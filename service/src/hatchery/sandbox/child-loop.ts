/**
 * The child's side: takes tasks one after the other, strictly in order, and answers each before it looks at the next.
 * So the first task without an answer is always the one being read, and a crash can be blamed on it.
 *
 * `handle` must be synchronous and pure: it can be cut off at any point, and the same process then reads on.
 */
import { readSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { Script, createContext } from 'node:vm'
import { GIVES_WAY, giveWay } from './courtesy.ts'
import { MAX_RESULT_BYTES, TEXT_ENCODING, codes, createFrameReader, encodeFrame } from './frames.ts'
import type { Frame } from './frames.ts'
import { createDesk, startWatchdog } from './watchdog.ts'
import type { Desk } from './watchdog.ts'

/** The socket to the parent. Standard output stays free, so that a stray print cannot be taken for a frame. */
const CHANNEL = 3

const MAX_TASK_BYTES = 64 * 1024 * 1024

/** A task this long, or every so many short ones, is followed by a look at the memory. */
const LONG_TASK_MS = 5
const LOOK_EVERY = 32

const WARM_UP_PASSES = 4

/** More than this, left by a task that went wrong, is cleared up at once; less is cheaper left to V8. */
const LITTER_MB = 96

/**
 * The extra time of a task when the one before went wrong: V8 clears up behind that one in its own time,
 * and may do so at the expense of this. Less than the grace that the parent's watch gives.
 */
const AFTER_TROUBLE_MS = 20

interface Answer {
  readonly code: number
  readonly body?: Buffer
}

/**
 * Serves until the parent lets go; then the process ends itself, having nothing to lose. `sample` is read a few
 * times before the first task: code that has never run is twenty times slower, and no task should be charged for that.
 */
export async function serveTasks(handle: (text: string) => string, sample: string): Promise<void> {
  const next = openChannel()
  const hello = next()
  if (hello?.code !== codes.hello) throw new Error('This process is started by the sandbox, not by hand.')
  ignoreSignals()
  const desk = createDesk()
  await startWatchdog(desk, hello.seq)
  const read = (text: string) => attempt(handle, text)
  for (let pass = 0; pass < WARM_UP_PASSES; pass += 1) read(sample)
  // Now, because a child hardly ever ends in a way that would let Node do it.
  flushCompileCache()
  const isSpent = createMemoryCheck(hello.value)
  if (process.argv.includes(GIVES_WAY)) giveWay()
  send(0, codes.ready, 0)
  serveInterruptibly({ desk, next, read, isSpent })
  process.kill(process.pid, 'SIGKILL')
}

// A signal to the whole group means the parent, which decides when its children end.
function ignoreSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
}

/** Frames as they come. Reading blocks: there is nothing else this thread could do. */
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

interface Service {
  readonly desk: Desk
  readonly next: () => Frame | undefined
  readonly read: (text: string) => Answer
  readonly isSpent: (ms: number, wentWrong: boolean) => boolean
}

/** The task being read. */
interface Work {
  readonly seq: number
  readonly budgetMs: number
  readonly text: string
  readonly startedMs: number
}

/**
 * The loop runs as a script that an interrupt signal breaks off, and is entered again after each break. One script for
 * many tasks, because entering costs 35 µs. The watchdog sends the signal for a task it has condemned; one that comes
 * from a terminal is taken for the same, and costs the task no more than another look.
 */
function serveInterruptibly(service: Service): void {
  let work: Work | undefined
  let extraMs = 0
  function serve(): void {
    while ((work ??= takeWork(service.next))) reply(work, readWatched(service, work, extraMs))
  }
  function reply({ seq, startedMs }: Work, { code, body }: Answer): void {
    const ms = performance.now() - startedMs
    // The memory is put in order before the answer leaves: what the next task finds is not its own.
    const spent = service.isSpent(ms, code !== codes.done)
    extraMs = code === codes.done ? 0 : AFTER_TROUBLE_MS
    work = undefined
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
      service.desk.words[service.desk.task] = 0
      if (work) reply(work, { code: codes.overran })
    }
  }
}

function takeWork(next: Service['next']): Work | undefined {
  const frame = next()
  if (!frame) return undefined
  const text = frame.body.toString(TEXT_ENCODING)
  return { seq: frame.seq, budgetMs: frame.value, text, startedMs: performance.now() }
}

function readWatched({ desk, read }: Service, work: Work, extraMs: number): Answer {
  desk.words[desk.budgetMs] = work.budgetMs + extraMs
  Atomics.store(desk.words, desk.task, work.seq)
  Atomics.notify(desk.words, desk.task)
  const answer = read(work.text)
  // Condemned in the last moment: the interrupt is on its way and must not hit the next task.
  if (Atomics.compareExchange(desk.words, desk.task, work.seq, 0) !== work.seq) for (;;);
  return answer
}

/** Turns whatever happens into an answer. What the handler returns reaches the parent as it is, as bytes of UTF-8. */
function attempt(handle: (text: string) => string, text: string): Answer {
  try {
    const body = Buffer.from(handle(text))
    return body.length > MAX_RESULT_BYTES ? { code: codes.exhausted } : { code: codes.done, body }
  } catch (error) {
    if (isAllocationFailure(error)) return { code: codes.exhausted }
    return { code: codes.threw, body: Buffer.from(classOf(error)) }
  }
}

// The message of an error may quote the document; the name of its class is written in our code.
function classOf(error: unknown): string {
  const name: unknown = error instanceof Error ? error.constructor.name : typeof error
  return typeof name === 'string' && /^[\w$]{1,60}$/.test(name) ? name : 'Error'
}

// The errors of V8 and Node when the kernel refuses memory for a buffer.
function isAllocationFailure(error: unknown): boolean {
  if (!(error instanceof RangeError)) return false
  return (
    error.message === 'Array buffer allocation failed' || codeOf(error) === 'ERR_MEMORY_ALLOCATION_FAILED'
  )
}

function isInterrupt(error: unknown): boolean {
  return codeOf(error) === 'ERR_SCRIPT_EXECUTION_INTERRUPTED'
}

// Without instanceof: the error of an interrupt is made in the script's own realm.
function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

/**
 * Says whether this process holds so much memory that the next task would be blamed for what others left. Collects
 * first, and at once behind a task that went wrong and left much, so that the next one does not pay for clearing up.
 * Looking is not free, so short tasks that went well are looked at in bundles.
 */
function createMemoryCheck(memoryMb: number): Service['isSpent'] {
  const atRestMb = rssMb()
  const markMb = atRestMb + (memoryMb - atRestMb) / 2
  let usualMb = atRestMb
  let sinceLook = 0
  return (ms, wentWrong) => {
    sinceLook += 1
    if (!wentWrong && ms < LONG_TASK_MS && sinceLook < LOOK_EVERY) return false
    sinceLook = 0
    const heldMb = rssMb()
    if (heldMb > markMb || (wentWrong && heldMb > usualMb + LITTER_MB)) globalThis.gc?.()
    else usualMb = heldMb
    return heldMb > markMb && rssMb() > markMb
  }
}

function rssMb(): number {
  return process.memoryUsage.rss() / 2 ** 20
}

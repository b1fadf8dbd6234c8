/**
 * One child as the parent sees it: its tasks in flight, in order, and its exit. The parent sends tasks ahead, so that
 * the child never waits for the parent between two tasks.
 */
import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { openGauge } from './gauge.ts'
import type { Gauge } from './gauge.ts'
import type { Job } from './job.ts'
import { MAX_RESULT_BYTES, TEXT_ENCODING, codes, createFrameReader, encodeFrame } from './frames.ts'
import type { Frame } from './frames.ts'

export interface TaskInFlight<Result> {
  readonly job: Job<Result>
  readonly seq: number
  readonly budgetMs: number
}

export interface ChildAnswer {
  readonly code: number
  readonly ms: number
  /** The result of the handler, or the class of an error. Valid for this turn of the event loop. */
  readonly body: Buffer
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Whether V8 reported that the heap was full. */
  readonly outOfHeap: boolean
  /** The end of its stderr. It may contain content once the child has had a task. */
  readonly stderrTail: string
}

export interface SandboxChild<Result> {
  readonly pid: number
  readonly gauge: Gauge
  /** It has started and was not killed. */
  isReady(): boolean
  wasReady(): boolean
  /** The first task is being read; the others wait behind it. */
  inFlight(): readonly TaskInFlight<Result>[]
  charactersInFlight(): number
  /** The number of answers so far. */
  answered(): number
  assign(job: Job<Result>, budgetMs: number): void
  /** Kills the child at once. Answers that it has sent still count. */
  kill(): void
  isKilled(): boolean
  readonly exited: Promise<Exit>
}

export interface ChildEvents<Result> {
  ready(): void
  answered(job: Job<Result>, answer: ChildAnswer): void
  /** The child holds too much memory to take more tasks. */
  spent(): void
  /** The child sent invalid frames. */
  garbled(): void
}

const STDERR_TAIL = 4096

export function openChild<Result>(
  process: ChildProcess,
  memoryMb: number,
  events: ChildEvents<Result>,
): SandboxChild<Result> {
  const tasks = createTaskList<Result>()
  const channel = process.stdio[3]
  const gauge = openGauge(process.pid ?? -1)
  let ready = false
  let killed = false

  const child: SandboxChild<Result> = {
    pid: process.pid ?? -1,
    gauge,
    isReady: () => ready && !killed,
    wasReady: () => ready,
    isKilled: () => killed,
    inFlight: () => tasks.held,
    charactersInFlight: tasks.characters,
    answered: tasks.answered,
    assign: (job, budgetMs) => write(tasks.take(job, budgetMs)),
    kill() {
      killed = true
      process.kill('SIGKILL')
    },
    exited: watchExit(process).finally(gauge.close),
  }

  function onFrame(frame: Frame): void {
    if (frame.code === codes.ready) {
      ready = true
      return events.ready()
    }
    const job = tasks.remove(frame.seq)
    if (!job) return events.garbled()
    const spent = frame.code >= codes.spent
    const code = spent ? frame.code - codes.spent : frame.code
    events.answered(job, { code, ms: frame.value / 1000, body: frame.body })
    if (spent) events.spent()
  }

  // The exit is known before the last answers have arrived. From then on the child gets no more tasks.
  process.once('exit', () => (killed = true))
  const write = connect(channel, onFrame, events.garbled)
  write(encodeFrame(globalThis.process.pid, codes.hello, memoryMb))
  return child
}

/** Keeps the tasks in flight. */
function createTaskList<Result>() {
  const held: TaskInFlight<Result>[] = []
  let characters = 0
  let lastSeq = 0
  return {
    held,
    characters: () => characters,
    answered: () => lastSeq - held.length,
    take(job: Job<Result>, budgetMs: number): Buffer[] {
      const { text } = job.task
      lastSeq += 1
      held.push({ job, seq: lastSeq, budgetMs })
      characters += text.length
      return encodeFrame(lastSeq, codes.task, budgetMs, Buffer.from(text, TEXT_ENCODING))
    },
    /** Answers come strictly in order. Another number means that the child cannot be trusted any more. */
    remove(seq: number): Job<Result> | undefined {
      if (held[0]?.seq !== seq) return undefined
      const first = held.shift()
      characters -= first?.job.task.text.length ?? 0
      return first?.job
    },
  }
}

/** Connects frames in both directions. Frames sent within one turn of the event loop leave in one write. */
function connect(channel: unknown, onFrame: (frame: Frame) => void, onGarbled: () => void) {
  if (!(channel instanceof Socket)) throw new Error('The child was started without a channel.')
  const reader = createFrameReader(MAX_RESULT_BYTES)
  const outbox: Buffer[] = []
  channel.on('data', (chunk: Buffer) => {
    reader.push(chunk)
    try {
      for (let frame = reader.next(); frame; frame = reader.next()) onFrame(frame)
    } catch {
      onGarbled()
    }
  })
  // The channel breaks when the process exits, which `watchExit` reports.
  channel.on('error', () => undefined)
  return (frame: readonly Buffer[]): void => {
    if (outbox.length === 0) queueMicrotask(() => channel.write(Buffer.concat(outbox.splice(0))))
    outbox.push(...frame)
  }
}

function watchExit(process: ChildProcess): Promise<Exit> {
  let stderrTail = ''
  let outOfHeap = false
  process.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderrTail += text
    outOfHeap ||= /(?:heap|process) out of memory/.test(stderrTail)
    stderrTail = stderrTail.slice(-STDERR_TAIL)
  })
  return new Promise((resolve) => {
    // 'close' comes after the last answers and the end of stderr; 'exit' may come before.
    process.once('close', (code, signal) => resolve({ code, signal, outOfHeap, stderrTail }))
    process.once('error', (error) =>
      resolve({ code: null, signal: null, outOfHeap: false, stderrTail: error.message }),
    )
  })
}

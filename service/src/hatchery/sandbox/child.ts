/**
 * One child as the parent sees it: what it has in flight, in order, and how it ends. Tasks are handed ahead, so that it
 * never waits for the parent between two of them.
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
  /** The result of the handler, or the name of a class for an error. Valid for this turn of the event loop. */
  readonly body: Buffer
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Said by V8 with its last words. */
  readonly outOfHeap: boolean
  /** The end of its stderr; may hold content as soon as it had a task. */
  readonly lastWords: string
}

export interface SandboxChild<Result> {
  readonly pid: number
  readonly gauge: Gauge
  /** Up, and not about to end. */
  isReady(): boolean
  wasReady(): boolean
  /** The first is being read; the others wait behind it. */
  inFlight(): readonly TaskInFlight<Result>[]
  charactersInFlight(): number
  /** How many answers it has given. */
  answered(): number
  hand(job: Job<Result>, budgetMs: number): void
  /** Ends it at once. What it has answered until then still counts. */
  kill(): void
  isDoomed(): boolean
  readonly gone: Promise<Exit>
}

export interface ChildEvents<Result> {
  ready(): void
  answered(job: Job<Result>, answer: ChildAnswer): void
  /** It wants no more tasks. */
  spent(): void
  /** Its frames make no sense. */
  garbled(): void
}

const LAST_WORDS = 4096

export function openChild<Result>(
  process: ChildProcess,
  memoryMb: number,
  events: ChildEvents<Result>,
): SandboxChild<Result> {
  const tasks = createTaskList<Result>()
  const channel = process.stdio[3]
  const gauge = openGauge(process.pid ?? -1)
  let ready = false
  let doomed = false

  const child: SandboxChild<Result> = {
    pid: process.pid ?? -1,
    gauge,
    isReady: () => ready && !doomed,
    wasReady: () => ready,
    isDoomed: () => doomed,
    inFlight: () => tasks.held,
    charactersInFlight: tasks.characters,
    answered: tasks.answered,
    hand: (job, budgetMs) => write(tasks.take(job, budgetMs)),
    kill() {
      doomed = true
      process.kill('SIGKILL')
    },
    gone: watchExit(process).finally(gauge.close),
  }

  function hear(frame: Frame): void {
    if (frame.code === codes.ready) {
      ready = true
      return events.ready()
    }
    const job = tasks.giveUp(frame.seq)
    if (!job) return events.garbled()
    const spent = frame.code >= codes.spent
    const code = spent ? frame.code - codes.spent : frame.code
    events.answered(job, { code, ms: frame.value / 1000, body: frame.body })
    if (spent) events.spent()
  }

  // Its death is known before its last answers are in; from then on nothing may be handed to it.
  process.once('exit', () => (doomed = true))
  const write = connect(channel, hear, events.garbled)
  write(encodeFrame(globalThis.process.pid, codes.hello, memoryMb))
  return child
}

/** Keeps tasks that were handed over and not answered yet. */
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
    /** Answers come strictly in order; another number means that nothing can be believed any more. */
    giveUp(seq: number): Job<Result> | undefined {
      if (held[0]?.seq !== seq) return undefined
      const first = held.shift()
      characters -= first?.job.task.text.length ?? 0
      return first?.job
    },
  }
}

/** Frames in both directions. What is sent within one turn of the event loop leaves in one write. */
function connect(channel: unknown, hear: (frame: Frame) => void, giveUp: () => void) {
  if (!(channel instanceof Socket)) throw new Error('The child was started without a channel.')
  const reader = createFrameReader(MAX_RESULT_BYTES)
  const outbox: Buffer[] = []
  channel.on('data', (chunk: Buffer) => {
    reader.push(chunk)
    try {
      for (let frame = reader.next(); frame; frame = reader.next()) hear(frame)
    } catch {
      giveUp()
    }
  })
  // A channel breaks when its process ends, and that is told by its exit.
  channel.on('error', () => undefined)
  return (frame: readonly Buffer[]): void => {
    if (outbox.length === 0) queueMicrotask(() => channel.write(Buffer.concat(outbox.splice(0))))
    outbox.push(...frame)
  }
}

function watchExit(process: ChildProcess): Promise<Exit> {
  let lastWords = ''
  let outOfHeap = false
  process.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords += text
    outOfHeap ||= /(?:heap|process) out of memory/.test(lastWords)
    lastWords = lastWords.slice(-LAST_WORDS)
  })
  return new Promise((resolve) => {
    // 'close' and not 'exit': by then the last answers and the last words have arrived.
    process.once('close', (code, signal) => resolve({ code, signal, outOfHeap, lastWords }))
    process.once('error', (error) =>
      resolve({ code: null, signal: null, outOfHeap: false, lastWords: error.message }),
    )
  })
}

/**
 * The second thread of a child. It goes on while the first one loops, and does two things: it ends the process when
 * the parent is gone, and it interrupts a task that has used up its time. An interrupted child goes on with the next
 * task, which is why a runaway document costs its neighbours milliseconds and not the start of a process.
 *
 * V8 does not look for interrupts in every loop it has optimised (one of nothing but built-in calls may run on for
 * seconds), nor in native code. The parent's watch, which kills, is there for those.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** The words both threads share. */
export interface Desk {
  /** The number of the task being read; 0 when there is none; negative once the watchdog has condemned it. */
  readonly task: 0
  readonly budgetMs: 1
  readonly words: Int32Array<SharedArrayBuffer>
}

export function createDesk(): Desk {
  return { task: 0, budgetMs: 1, words: new Int32Array(new SharedArrayBuffer(16)) }
}

/** Resolves when the thread runs: no task may start before it does. */
export async function startWatchdog(desk: Desk, parent: number): Promise<void> {
  // The code is passed as text, because a file would be stripped of its types once more in the thread: 40 ms of every start.
  const thread = new Worker(`(${guard.toString()})()`, {
    eval: true,
    env: {},
    workerData: { words: desk.words, parent },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, codeRangeSizeMb: 8 },
  })
  thread.unref()
  await once(thread, 'message')
}

/** Runs in the thread, cut off from this module: everything it uses is in its own body. */
function guard(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
  const fs = process.getBuiltinModule('node:fs')
  const { words, parent }: { words: Int32Array<SharedArrayBuffer>; parent: number } = workerData
  const tickMs = 2
  const parentCheckMs = 250
  const line = Buffer.alloc(96)
  const schedule = openSchedule()

  function openSchedule(): number | undefined {
    try {
      return fs.openSync('/proc/self/schedstat', 'r')
    } catch {
      return undefined
    }
  }

  // The time the first thread was on a core. What it waited for one, or for a thread of V8 that had to wait for one, is
  // not the task's fault.
  function ranMs(): number {
    if (schedule === undefined) return performance.now()
    return (
      Number.parseInt(line.toString('latin1', 0, fs.readSync(schedule, line, 0, line.length, 0)), 10) / 1e6
    )
  }

  let watched = 0
  let seenMs = 0
  let ranBeforeMs = 0
  let parentSeenMs = performance.now()
  let idleTicks = 0
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
  parentPort?.postMessage('watching')
  for (;;) {
    // Without a task it sleeps until the first thread wakes it; in the midst of many it only looks now and then.
    if (idleTicks > 10) Atomics.wait(words, 0, 0, parentCheckMs)
    else Atomics.wait(words, 2, 0, tickMs)
    const nowMs = performance.now()
    if (nowMs - parentSeenMs >= parentCheckMs) {
      parentSeenMs = nowMs
      if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
    }
    const task = Atomics.load(words, 0)
    idleTicks = task === 0 ? idleTicks + 1 : 0
    if (task <= 0) continue
    if (task !== watched) {
      watched = task
      seenMs = nowMs
      ranBeforeMs = ranMs()
      continue
    }
    // By both clocks: the one on the wall counts waiting, and the one of the core may jump by a tick of the kernel.
    const budgetMs = Atomics.load(words, 1)
    const overran = nowMs - seenMs >= budgetMs && ranMs() - ranBeforeMs >= budgetMs
    // The exchange settles the race with a task that ends just now: either it is done or it is condemned, never both.
    if (overran && Atomics.compareExchange(words, 0, task, -task) === task)
      process.kill(process.pid, 'SIGINT')
  }
}

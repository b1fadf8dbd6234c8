/**
 * The second thread of a child, which runs while the first one loops. It kills the process when the parent is gone, and
 * interrupts a task that has used up its time. An interrupted child goes on with the next task, so a runaway document
 * costs its neighbours milliseconds instead of the start of a process.
 *
 * V8 does not check for interrupts in native code, nor in every optimised loop: a loop of built-in calls only may run
 * on for seconds. The watch of the parent kills those.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** The state that both threads share. */
export interface SharedState {
  /** The number of the current task; 0 without a task; negative once the watchdog has decided to interrupt it. */
  readonly task: 0
  readonly budgetMs: 1
  readonly words: Int32Array<SharedArrayBuffer>
}

export function createSharedState(): SharedState {
  return { task: 0, budgetMs: 1, words: new Int32Array(new SharedArrayBuffer(16)) }
}

/** Resolves when the thread runs. No task may start earlier. */
export async function startWatchdog(shared: SharedState, parent: number): Promise<void> {
  // The code is passed as text: for a file, the thread would strip the types again, which costs 40 ms at every start.
  const thread = new Worker(`(${guard.toString()})()`, {
    eval: true,
    env: {},
    workerData: { words: shared.words, parent },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, codeRangeSizeMb: 8 },
  })
  thread.unref()
  await once(thread, 'message')
}

/** Runs in the thread without this module, so everything it uses is in its own body. */
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

  // The CPU time of the first thread. It excludes the time that the thread, or a thread of V8 it depends on, waited for
  // a core.
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
    // Without a task the watchdog sleeps until the first thread wakes it. While there are tasks it checks at every
    // tick.
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
    // Both clocks must agree: wall-clock time includes waiting, and CPU time may jump by a tick of the kernel.
    const budgetMs = Atomics.load(words, 1)
    const overran = nowMs - seenMs >= budgetMs && ranMs() - ranBeforeMs >= budgetMs
    // The exchange settles the race with a task that ends just now: the task is either done or interrupted, never both.
    if (overran && Atomics.compareExchange(words, 0, task, -task) === task)
      process.kill(process.pid, 'SIGINT')
  }
}
